package rest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/internal/apikey"
	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/store/storetest"
	"agentchat/rest"
)

// event is one event of a stream; a comment has no name.
type event struct{ name, data string }

// readEvent reads the next event or comment.
func readEvent(reader *bufio.Reader) (event, error) {
	var e event
	for {
		line, err := reader.ReadString('\n')
		if err != nil {
			return e, err
		}
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "":
			return e, nil
		case strings.HasPrefix(line, "event: "):
			e.name = line[len("event: "):]
		case strings.HasPrefix(line, "data: "):
			e.data += line[len("data: "):]
		}
	}
}

// events splits a whole stream, comments left out.
func events(t *testing.T, text string) []event {
	t.Helper()
	reader := bufio.NewReader(strings.NewReader(text))
	var out []event
	for {
		e, err := readEvent(reader)
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if e.name != "" {
			out = append(out, e)
		}
	}
}

// streamed is a parsed stream.
type streamed struct {
	names []string
	start struct {
		MessageID string `json:"message_id"`
		SessionID string `json:"session_id"`
	}
	text string
	end  json.RawMessage
	fail problem
}

func parseStream(t *testing.T, r reply) streamed {
	t.Helper()
	for name, want := range map[string]string{"Content-Type": "text/event-stream; charset=utf-8",
		"Cache-Control":     "no-cache, no-transform",
		"X-Accel-Buffering": "no", "X-Content-Type-Options": "nosniff", "Content-Length": ""} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if r.StatusCode != http.StatusOK || r.Header.Get("X-Request-Id") == "" ||
		r.Header.Get("RateLimit-Limit") == "" {
		t.Errorf("status %d, headers %v", r.StatusCode, r.Header)
	}
	var s streamed
	for _, e := range events(t, r.text) {
		s.names = append(s.names, e.name)
		var err error
		var piece struct{ Text string }
		switch e.name {
		case "start":
			err = json.Unmarshal([]byte(e.data), &s.start)
		case "delta":
			err = json.Unmarshal([]byte(e.data), &piece)
			s.text += piece.Text
		case "end":
			s.end = json.RawMessage(e.data)
		case "error":
			err = json.Unmarshal([]byte(e.data), &s.fail)
		}
		if err != nil {
			t.Errorf("%s: %v: %s", e.name, err, e.data)
		}
	}
	s.names = slices.Compact(s.names)
	return s
}

func TestAStreamedReply(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	const body = `{"message":"Hello\n“you”","session_id":"s","stream":true}`
	r := b.post(t, body, "Idempotency-Key: one")
	s := parseStream(t, r)
	if want := []string{"start", "delta", "end"}; !slices.Equal(s.names, want) {
		t.Fatalf("events %v, want %v", s.names, want)
	}
	var end answer
	if err := json.Unmarshal(s.end, &end); err != nil {
		t.Fatal(err)
	}
	if end.Reply != s.text || end.MessageID != s.start.MessageID || end.SessionID != "s" ||
		s.start.SessionID != "s" ||
		end.FinishReason != "stop" || end.AgentVersion != 1 || end.Usage.Credits != 1 ||
		end.Usage.CreditsRemaining != 99 {
		t.Errorf("end %s after start %+v and text %q", s.end, s.start, s.text)
	}
	if strings.Count(r.text, "event: delta") < 5 {
		t.Errorf("the reply came in %d pieces", strings.Count(r.text, "event: delta"))
	}
	b.access(t)

	again := b.post(t, body, "Idempotency-Key: one")
	replay := parseStream(t, again)
	if again.Header.Get("Idempotent-Replayed") != "true" || string(replay.end) != string(s.end) ||
		replay.text != s.text ||
		replay.start != s.start {
		t.Errorf("the replay is %s after %s", again.text, r.text)
	}
	if a := b.access(t); !a.Replayed || a.Credits != 0 || a.Status != http.StatusOK {
		t.Errorf("the replay was recorded as %+v", a)
	}
	plain := b.post(t, strings.Replace(body, "true", "false", 1), "Idempotency-Key: one",
		"Accept: text/event-stream")
	if plain.Header.Get("Content-Type") != "application/json" || strings.TrimSpace(plain.text) != string(s.end) {
		t.Errorf("the same without a stream is %s", plain.text)
	}
	if balance, held := b.credits(t); balance != 99 || held != 0 {
		t.Errorf("balance %d, held %d", balance, held)
	}
	storetest.Audit(t, b.store)
}

// scripted is a use case that runs a function of the test.
type scripted func(ctx context.Context, stream chat.Stream) (chat.Result, error)

func (scripted) CheckKey(context.Context, apikey.Hash, netip.Addr) (*chat.Caller, error) {
	return caller(), nil
}

func (s scripted) Send(ctx context.Context, req chat.Message) (chat.Result, error) {
	return s(ctx, req.Stream)
}

func answered(text string) chat.Result {
	return chat.Result{Caller: caller(), Answer: &chat.Answer{Session: "s", Reply: text, FinishReason: "stop"}}
}

// open begins a stream and returns its reader, which fails rather than hangs.
func open(t *testing.T, address string) *bufio.Reader {
	t.Helper()
	conn, reader := dial(t, address)
	write(t, conn, request(apikey.Mint().Reveal(), `{"message":"hi","stream":true}`))
	response, err := http.ReadResponse(reader, &http.Request{Method: http.MethodPost})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return bufio.NewReader(response.Body)
}

// A stream starts and sends comments even while the model sends nothing.
func TestAStreamStartsAndSendsCommentsWithoutText(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	api := rest.NewWithTimes(rest.Config{Chat: scripted(func(_ context.Context,
		s chat.Stream) (chat.Result, error) {
		s.Begun(chat.BegunTurn{Session: "s", Caller: caller()})
		<-release
		return chat.Result{Caller: caller()}, fault.New(fault.ModelTimeout, "")
	})}, 10*time.Millisecond, 10*time.Millisecond, patience)
	reader := open(t, serve(t, api))
	for i, want := range []string{"start", "", "", "", "error"} {
		if i == 4 {
			close(release)
		}
		e, err := readEvent(reader)
		for want != "" && e.name == "" && err == nil { // skip further comments
			e, err = readEvent(reader)
		}
		if err != nil || e.name != want {
			t.Fatalf("event %d is %+v, %v; want %q", i, e, err, want)
		}
	}
}

// Nothing is sent before the turn has begun, however long it waits for its session: a refusal still
// gets its true status.
func TestAWaitForTheSessionSendsNothing(t *testing.T) {
	t.Parallel()
	api := rest.NewWithTimes(rest.Config{Chat: scripted(func(context.Context, chat.Stream) (chat.Result, error) {
		timer := time.NewTimer(50 * time.Millisecond) // many times the times of the stream
		defer timer.Stop()
		<-timer.C
		return chat.Result{Caller: caller()}, fault.New(fault.SessionBusy, "")
	})}, time.Millisecond, time.Millisecond, patience)
	text := request(apikey.Mint().Reveal(), `{"message":"hi","stream":true}`)
	sendRaw(t, serve(t, api), text)[0].refused(t, http.StatusConflict, "session_busy")
}

// The turn never waits for its client, even if the client reads nothing or has left.
func TestTheTurnDoesNotWaitForItsClient(t *testing.T) {
	t.Parallel()
	done := make(chan struct{})
	accesses := make(chan rest.AccessRecord, 1)
	api := rest.NewWithTimes(rest.Config{
		Chat: scripted(func(_ context.Context, s chat.Stream) (chat.Result, error) {
			s.Begun(chat.BegunTurn{Session: "s", Caller: caller()})
			piece := strings.Repeat("x", 1<<10)
			for range 20_000 { // far more than sockets hold
				s.Text(piece)
			}
			close(done)
			return answered(piece), nil
		}),
		Observe: func(a rest.AccessRecord) { accesses <- a },
	}, time.Minute, time.Minute, 100*time.Millisecond)
	conn, _ := dial(t, serve(t, api))
	write(t, conn, request(apikey.Mint().Reveal(), `{"message":"hi","stream":true}`))
	for _, what := range []struct {
		name string
		over <-chan struct{}
	}{{"the turn", done}, {"the request", recorded(t, accesses)}} {
		select {
		case <-what.over:
		case <-time.After(patience):
			t.Fatalf("%s waits for a client that reads nothing", what.name)
		}
	}
}

// A client that closes its sending side after its request still gets its stream, as it would get
// its JSON.
func TestAStreamToAClientThatOnlyListens(t *testing.T) {
	t.Parallel()
	api := rest.New(rest.Config{Chat: scripted(func(ctx context.Context, s chat.Stream) (chat.Result, error) {
		s.Begun(chat.BegunTurn{Session: "s", Caller: caller()})
		<-ctx.Done() // the closing has been noticed
		s.Text("Hello")
		return answered("Hello"), nil
	})})
	conn, reader := dial(t, serve(t, api))
	write(t, conn, request(apikey.Mint().Reveal(), `{"message":"hi","stream":true}`))
	half, ok := conn.(interface{ CloseWrite() error })
	if !ok {
		t.Fatalf("a connection that cannot be closed by half: %T", conn)
	}
	if err := half.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(reader, &http.Request{Method: http.MethodPost})
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range events(t, string(text)) {
		names = append(names, e.name)
	}
	if want := []string{"start", "delta", "end"}; !slices.Equal(names, want) {
		t.Errorf("events %v, want %v", names, want)
	}
}

// recorded returns a channel that is closed when a request whose client had left is recorded.
func recorded(t *testing.T, accesses <-chan rest.AccessRecord) <-chan struct{} {
	t.Helper()
	over := make(chan struct{})
	go func() {
		defer close(over)
		if a := <-accesses; !a.ClientGone {
			t.Errorf("recorded as %+v", a)
		}
	}()
	return over
}
