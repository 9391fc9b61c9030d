package openai_test

import (
	"strings"
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/llmtest"
)

// Chunks of streams.
var (
	one  = llmtest.OpenAIChunk("one ", "")
	two  = llmtest.OpenAIChunk("two 😀é", "")
	stop = llmtest.OpenAIDelta("{}", `"stop"`)
	used = llmtest.OpenAIUsage(`{"prompt_tokens":5,"completion_tokens":2}`)
)

// TestStreams reads the same stream in different forms.
func TestStreams(t *testing.T) {
	t.Parallel()
	stream := func(lines ...string) string { return strings.Join(lines, "\n") }
	for name, body := range map[string]string{
		"as OpenAI":     stream("data: "+one, "", "data: "+two, "", "data: "+stop, "", "data: "+used, "", "data: [DONE]", "", ""),
		"without space": stream("data:"+one, "", "data:"+two, "", "data:"+stop, "", "data:"+used, "", "data:[DONE]", "", ""),
		"with comments": stream(": OPENROUTER PROCESSING", "", "data: "+one, "", ": ping", ":", "", "data: "+two, ": within", "",
			"data: "+stop, "", "data: "+used, "", "data: [DONE]", "", ""),
		"other fields": stream("id: 1", "event: message", "retry: 10", "data: "+one, "", "event: ping", "", "nothing", "", "data", "",
			"data:", "", "data: "+two, "", "data: "+stop, "", "data: "+used, "", "data: [DONE]", "", ""),
		"without [DONE]":          stream("data: "+one, "", "data: "+two, "", "data: "+stop, "", "data: "+used, "", ""),
		"without the last line":   stream("data: "+one, "", "data: "+two, "", "data: "+stop, "", "data: "+used, "", "data: [DONE]"),
		"without [DONE] and line": stream("data: "+one, "", "data: "+two, "", "data: "+stop, "", "data: "+used),
		"data over two lines": stream("data: "+strings.Replace(one, `"choices"`, "\ndata: \"choices\"", 1), "", "data: "+two, "",
			"data: "+stop, "", "data: "+used, "", "data: [DONE]", "", ""),
		"empty lines before": "\r\n\r\n" + stream("data: "+one, "", "data: "+two, "", "data: "+stop, "", "data: "+used, "", "data: [DONE]", "", ""),
		"a byte-order mark":  "\ufeff" + stream("data: "+one, "", "data: "+two, "", "data: "+stop, "", "data: "+used, "", "data: [DONE]", "", ""),
		"more after the end": stream("data: "+one, "", "data: "+two, "", "data: "+stop, "", "data: "+used, "", "data: [DONE]", "", "data: "+one, "", ""),
	} {
		for ending, text := range map[string]string{
			"LF": body, "CRLF": strings.ReplaceAll(body, "\n", "\r\n"), "CR": strings.ReplaceAll(body, "\n", "\r"),
		} {
			t.Run(name+", "+ending, func(t *testing.T) {
				t.Parallel()
				s := newServer(t)
				// The content type is ignored: some servers send none, or application/json.
				s.Next(llmtest.Body("text/event-stream", text), llmtest.Body("application/json", text),
					llmtest.Body("", strings.Split(text, "")...)) // a byte or a character at a time
				m := newModel(t, s)
				for i := range 3 {
					reply, err := ask(t, m, request())
					if err != nil || reply.Text != "one two 😀é" || reply.Finish != llm.FinishStop ||
						usage(reply) != "5 - 2" {
						t.Errorf("%d: %+v, usage %s, %v", i, reply, usage(reply), err)
					}
				}
			})
		}
	}
}

// TestNoWaitForNextEvent shows that a text is emitted when its event ends, not when the next one
// begins.
func TestNoWaitForNextEvent(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]string{"LF": "\n", "CRLF": "\r\n", "CR": "\r"} {
		s := newServer(t)
		read := make(chan struct{})
		s.Next(func(e *llmtest.Call) {
			llmtest.Body("text/event-stream", "data: "+one+end+end)(e)
			select {
			case <-read:
				llmtest.Body("text/event-stream", "data: "+stop+end+end)(e)
			case <-e.Over:
			}
		})
		ctx := llmtest.NewDeadline(t)
		timer := time.AfterFunc(20*time.Second, ctx.Pass)
		reply, err := newModel(t, s).Generate(ctx, request(), func(string) error {
			close(read)
			return nil
		})
		timer.Stop()
		if err != nil || reply.Text != "one " {
			t.Errorf("%s: %+v, %v", name, reply, err)
		}
	}
}

// TestStreamThatStaysOpen shows that a reply does not wait for the deadline if a server ends the
// text but not the body.
func TestStreamThatStaysOpen(t *testing.T) {
	t.Parallel()
	const end = "data: [DONE]\n\n"
	ended := "data: " + stop + "\n\n"
	for name, after := range map[string]string{"after the reason": ended, "after [DONE]": ended +
		end, "after [DONE] alone": end} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			s.Next(func(e *llmtest.Call) {
				llmtest.Body("text/event-stream", "data: "+one+"\n\n"+after)(e)
				<-e.Over
			})
			ctx, attempts := llmtest.Attempts(t.Context())
			reply, err := newModel(t, s).Generate(ctx, request(), nil)
			if err != nil || reply.Text != "one " {
				t.Errorf("%+v, %v", reply, err)
			}
			if all, outages := attempts(); all != 1 || outages != 0 {
				t.Errorf("%d attempts, %d outages", all, outages)
			}
			s.NoConnection(t)
		})
	}
}

// TestConnectionIsKept shows that a connection is reused if the response ends a moment after
// [DONE].
func TestConnectionIsKept(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.Always(func(e *llmtest.Call) {
		llmtest.Text("Aye.")(e)
		llmtest.Delayed(10*time.Millisecond, func(*llmtest.Call) {})(e)
	})
	m := newModel(t, s)
	const calls = 5
	for range calls {
		if reply, err := ask(t, m, request()); err != nil || reply.Text != "Aye." {
			t.Errorf("%+v, %v", reply, err)
		}
	}
	if opened, _ := s.Connections(); opened == calls {
		t.Error("every call has opened a connection")
	}
}

// TestNonsense reads responses of status 200 that are not in OpenAI's format. Package upstream
// tests responses in no format.
func TestNonsense(t *testing.T) {
	t.Parallel()
	chunks := llmtest.OpenAIChunks
	events := func(body string) llmtest.Reply { return llmtest.Body("text/event-stream", body) }
	for name, reply := range map[string]llmtest.Reply{
		"empty":               events(""),
		"blank":               events("\n\n\n"),
		"only comments":       events(": hi\n\n: ho\n\n"),
		"an array":            llmtest.Body("application/json", "["+one+"]"),
		"a number":            llmtest.Body("application/json", "42"),
		"two objects":         llmtest.Body("application/json", one+"\n"+stop),
		"half an object":      llmtest.Body("application/json", one[:60]),
		"an object":           llmtest.Body("application/json", `{"detail":"`+prompt+`"}`),
		"Ollama's own format": llmtest.Body("application/x-ndjson", `{"message":{"content":"x"},"done":false}`+"\n"+`{"done":true}`+"\n"),
		"text is a number":    chunks(llmtest.OpenAIDelta(`{"content":42}`, "null"), stop),
		"text is an object":   chunks(llmtest.OpenAIDelta(`{"content":{"text":"x"}}`, "null"), stop),
		"refusal is a number": chunks(llmtest.OpenAIDelta(`{"content":"x","refusal":42}`, "null"), stop),
		"choices are a text":  chunks(`{"choices":"` + prompt + `"}`),
		"delta is a text":     chunks(`{"choices":[{"delta":"` + prompt + `"}]}`),
		"not JSON later":      chunks(one, `{"choices":`+testKey),
		"deep nesting":        chunks(one, strings.Repeat("[", 200_000)),
		"half an event":       events("data: " + one + "\n\ndata: " + two[:40]),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			s.Always(reply)
			got, err := ask(t, newModel(t, s), request())
			if !fault.Is(err, fault.ModelError) || got.Text != "" || len(s.Requests()) != 1 {
				t.Errorf("reply %+v, error %v, %d attempts", got, err, len(s.Requests()))
			}
		})
	}
}
