package httpapi_test

import (
	"bytes"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"agentchat/internal/httpapi"
)

// TestPanicInAStream shows that a panic aborts a stream that has begun: a client must mistake
// neither a broken stream for a complete one, nor the JSON of an error for an event.
func TestPanicInAStream(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ex := httpapi.NewExchange(w, r, slog.New(slog.DiscardHandler))
		defer ex.Recover(func() { t.Error("the panic was answered in the stream") })
		ex.StartEvents(httpapi.WriteTimeout).Write(httpapi.Comment)
		panic("on purpose")
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	resp, err := server.Client().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if text, err := io.ReadAll(resp.Body); err == nil || string(text) != httpapi.Comment {
		t.Errorf("the stream is %q, %v", text, err)
	}
}

func TestPanicBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := httptest.NewRecorder()
	func() {
		ex := httpapi.NewExchange(w, httptest.NewRequest(http.MethodPost, "/", nil),
			slog.New(slog.NewJSONHandler(&out, nil)))
		ex.Caller = []slog.Attr{slog.String("account", "one")}
		defer func() {
			if a := ex.Finish(slog.Int("credits", 3)); a.Status != http.StatusInternalServerError ||
				a.Method != http.MethodPost {
				t.Errorf("recorded %+v", a)
			}
		}()
		defer ex.Recover(func() { ex.SendJSON(http.StatusInternalServerError, []byte("{}")) })
		panic("on purpose")
	}()
	if w.Code != http.StatusInternalServerError || w.Header().Get("Connection") != "close" ||
		w.Body.String() != "{}" {
		t.Errorf("answered %d %v %s", w.Code, w.Header(), w.Body)
	}
	id := `"request_id":"` + w.Header().Get("X-Request-Id") + `","account":"one"`
	for i, parts := range [][]string{
		{`"msg":"panic"`, id, "on purpose", "exchange_test.go"}, {`"msg":"request"`, id, `"status":500`, `"credits":3`},
	} {
		line, err := out.ReadString('\n')
		for _, part := range parts {
			if err != nil || !strings.Contains(line, part) {
				t.Errorf("log line %d lacks %s: %s", i, part, line)
			}
		}
	}
}
