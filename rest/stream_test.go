package rest_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

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
	for reader := bufio.NewReader(strings.NewReader(r.text)); ; {
		e, err := readEvent(reader)
		if err != nil {
			break
		}
		var piece struct{ Text string }
		switch e.name {
		case "":
			continue // a comment
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
		s.names = append(s.names, e.name)
	}
	s.names = slices.Compact(s.names)
	return s
}

// TestAStreamedReply tests that the end of a stream is the JSON of the reply, and that a replay
// streams the same.
func TestAStreamedReply(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	const body = `{"message":"Hello\n“you”","session_id":"s","stream":true}`
	r := b.post(t, body, "Idempotency-Key: one")
	s := parseStream(t, r)
	var end answer
	if err := json.Unmarshal(s.end, &end); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.names, []string{"start", "delta", "end"}) || end.Reply != s.text ||
		end.MessageID != s.start.MessageID || end.SessionID != "s" || s.start.SessionID != "s" ||
		end.Usage.CreditsRemaining != 99 || strings.Count(r.text, "event: delta") < 5 {
		t.Errorf("events %v: end %s after start %+v and text %q", s.names, s.end, s.start, s.text)
	}
	b.access(t)
	again := b.post(t, body, "Idempotency-Key: one")
	replay := parseStream(t, again)
	if again.Header.Get("Idempotent-Replayed") != "true" || string(replay.end) != string(s.end) ||
		replay.text != s.text || replay.start != s.start {
		t.Errorf("the replay is %s after %s", again.text, r.text)
	}
	if a := b.access(t); !a.Replayed || a.Credits != 0 || a.Status != http.StatusOK {
		t.Errorf("the replay was recorded as %+v", a)
	}
}

// TestAModelThatFailsInTheMiddle tests that a stream that has begun ends with the error.
func TestAModelThatFailsInTheMiddle(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	r := b.post(t, `{"message":"[[sandbox fail=error after=20]]","stream":true}`)
	s := parseStream(t, r)
	if !slices.Equal(s.names, []string{"start", "delta", "error"}) ||
		len(strings.Fields(s.text)) != 20 || s.fail.Error.Code != "model_error" ||
		s.fail.RequestID != r.Header.Get("X-Request-Id") {
		t.Errorf("events %v: error %+v after %q", s.names, s.fail, s.text)
	}
	if a := b.access(t); a.Status != http.StatusOK || a.Code != "model_error" || a.Credits != 0 {
		t.Errorf("recorded as %+v", a)
	}
}

// scripted is a use case that runs a function of the test.
type scripted func(ctx context.Context, stream chat.Stream) (chat.Result, error)

func (scripted) CheckKey(context.Context, apikey.Hash, netip.Addr) (*chat.Caller, error) {
	return caller(), nil
}

func (s scripted) Send(ctx context.Context, req chat.Message) (chat.Result, error) {
	return s(ctx, req.Stream)
}

func (scripted) Rate(context.Context, chat.Rating) (chat.Rated, error) { return chat.Rated{}, nil }

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

// TestAJoinedStream tests that a stream that joins another request's turn is marked as a replay from
// its start, has the reply once, and is recorded as a replay or, with its code, as rejected.
func TestAJoinedStream(t *testing.T) {
	t.Parallel()
	turn := uuid.New()
	for name, c := range map[string]struct {
		text, code string
		err        error
	}{
		"whole":    {},
		"live":     {text: "Hello"},
		"failed":   {err: fault.New(fault.ModelError, ""), code: "model_error"},
		"draining": {err: &fault.Error{Kind: fault.RequestInProgress, Err: chat.ErrDraining}, code: "unavailable"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			started, accesses := make(chan struct{}), make(chan rest.AccessRecord, 1)
			api := rest.NewWithTimes(rest.Config{
				Chat: scripted(func(_ context.Context, s chat.Stream) (chat.Result, error) {
					s.Begun(chat.BegunTurn{MessageID: turn, Session: "s", Caller: caller(), Joined: true})
					<-started
					if c.err != nil {
						return chat.Result{Caller: caller(), Turn: uuid.New()}, c.err
					}
					if c.text != "" {
						s.Text(c.text)
					}
					got := answered("Hello")
					got.Answer.MessageID, got.Answer.Replayed = turn, true
					return got, nil
				}),
				Observe: func(a rest.AccessRecord) { accesses <- a },
			}, 10*time.Millisecond, time.Minute, patience)
			conn, reader := dial(t, serve(t, api))
			write(t, conn, request(apikey.Mint().Reveal(), `{"message":"hi","stream":true}`))
			response, err := http.ReadResponse(reader, &http.Request{Method: http.MethodPost})
			if err != nil {
				t.Fatal(err)
			}
			close(started) // once the header has come
			text, _ := io.ReadAll(response.Body)
			_ = response.Body.Close()
			s := parseStream(t, reply{Response: response, text: string(text)})
			if response.Header.Get("Idempotent-Replayed") != "true" || s.start.MessageID != turn.String() {
				t.Errorf("header %v, start %+v", response.Header, s.start)
			}
			a := <-accesses
			if a.Rejected == nil || a.Code != c.code || a.Replayed != (c.code == "") ||
				(a.Rejected.Turn == turn) != (c.code == "") {
				t.Errorf("recorded as %+v %+v", a, a.Rejected)
			}
			if c.code == "" && (s.text != "Hello" || s.end == nil) || s.fail.Error.Code != c.code {
				t.Errorf("the stream is %s", text)
			}
		})
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

// TestTheTurnDoesNotWaitForItsClient tests that neither a turn nor its request waits for a client
// that reads nothing.
func TestTheTurnDoesNotWaitForItsClient(t *testing.T) {
	t.Parallel()
	done, accesses := make(chan struct{}), make(chan rest.AccessRecord, 1)
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
	limit := time.After(patience)
	select {
	case <-done:
	case <-limit:
		t.Fatal("the turn waits for a client that reads nothing")
	}
	select {
	case a := <-accesses:
		if !a.ClientGone {
			t.Errorf("recorded as %+v", a)
		}
	case <-limit:
		t.Fatal("the request waits for a client that reads nothing")
	}
}

// TestAStreamToAClientThatOnlyListens tests that a client that closes its sending side after its
// request still gets its stream, as it would get its JSON.
func TestAStreamToAClientThatOnlyListens(t *testing.T) {
	t.Parallel()
	api := rest.New(rest.Config{Chat: scripted(func(ctx context.Context, s chat.Stream) (chat.Result, error) {
		s.Begun(chat.BegunTurn{Session: "s", Caller: caller()})
		<-ctx.Done() // the closing has been noticed
		s.Text("Hello")
		return answered("Hello"), nil
	})})
	text := request(apikey.Mint().Reveal(), `{"message":"hi","stream":true}`)
	s := parseStream(t, sendCut(t, serve(t, api), text)[0])
	if !slices.Equal(s.names, []string{"start", "delta", "end"}) {
		t.Errorf("events %v", s.names)
	}
}

// TestAPanicInAStream tests that a panic breaks the stream off, so that the caller retries.
func TestAPanicInAStream(t *testing.T) {
	t.Parallel()
	log, received := &journal{}, make(chan struct{})
	api := rest.New(rest.Config{Logger: log.logger(),
		Chat: scripted(func(_ context.Context, s chat.Stream) (chat.Result, error) {
			s.Begun(chat.BegunTurn{Session: "s", Caller: caller()})
			s.Text("Hello")
			<-received
			panic("on purpose")
		})})
	reader := open(t, serve(t, api))
	if e, err := readEvent(reader); e.name != "start" {
		t.Fatalf("event %+v, %v", e, err)
	}
	close(received)
	text, err := io.ReadAll(reader)
	if err == nil || bytes.Contains(text, []byte("event: end")) ||
		bytes.Contains(text, []byte("event: error")) {
		t.Errorf("the stream ended with %q, %v", text, err)
	}
	eventually(t, func() bool { return strings.Contains(log.String(), "on purpose") })
}
