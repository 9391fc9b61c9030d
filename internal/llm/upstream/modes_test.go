package upstream_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/llmtest"
)

// mode is one behavior of a model server, with the result.
type mode struct {
	name  string
	reply llmtest.Reply
	// text is the reply, if there is no fault.
	text string
	// kind is the fault, "" for a reply.
	kind fault.Kind
	// attempts and outages are the numbers reported; 0 attempts mean 1.
	attempts, outages int
	// message is set if the message can have caused the fault; otherwise the provider or the operator
	// has.
	message bool
	// free is set if the provider cannot bill the call.
	free bool
}

// modes returns all modes. elsewhere is the target of the redirects: a server that must not receive
// a request.
func modes(elsewhere string) []mode {
	const failed, away, late, blocked = fault.ModelError, fault.ModelUnavailable, fault.ModelTimeout, fault.ContentBlocked
	status, nothing := llmtest.Status, func(int) {}
	const gigabyte = 1 << 30
	return []mode{
		{name: "a text", reply: llmtest.Text("one ", "two 😀"), text: "one two 😀"},
		{name: "a long text", reply: llmtest.Text(strings.Repeat("x", 900<<10)), text: strings.Repeat("x", 900<<10)},
		{name: "cut at its limit", reply: llmtest.Cut("one "), text: "one "},
		{name: "late, but in time", reply: llmtest.Delayed(100*time.Millisecond, llmtest.Text("late")), text: "late"},
		{name: "byte by byte", reply: llmtest.Slow(100*time.Microsecond, "slow ", "é"), text: "slow é"},
		{name: "invalid UTF-8", reply: llmtest.Raw("caf\xe9 \xff!"), text: "caf\uFFFD \uFFFD!"},
		{name: "an escaped NUL", reply: llmtest.Raw(`a\u0000b`), text: "a\x00b"},
		{name: "half of a pair", reply: llmtest.Raw(`a\ud800b`), text: "a\uFFFDb"},
		{name: "HTML", reply: llmtest.Raw(`<b>&amp;\u2028\ud83d\ude00`), text: "<b>&amp;\u2028😀"},
		{name: "the mark of an end", reply: llmtest.Raw(`[DONE]\n\ndata: x`), text: "[DONE]\n\ndata: x"},
		{name: "a NUL", reply: llmtest.Raw("a\x00b"), kind: failed},
		{name: "blocked", reply: llmtest.Blocked(""), kind: blocked, message: true},
		{name: "blocked after a text", reply: llmtest.Blocked("So far so"), text: "So far so"},
		{name: "too late", reply: llmtest.Delayed(time.Minute, llmtest.Text("late")), kind: late, outages: 1},
		{name: "far too late", reply: llmtest.Delayed(10*time.Minute, llmtest.Text("late")), kind: late, outages: 1},
		{name: "never", reply: llmtest.Hang(), kind: late, outages: 1},
		{name: "never after the header", reply: hangingAnswer(200), kind: late, message: true},
		{name: "never after a text", reply: llmtest.HangAfter("one"), kind: late, message: true},
		{name: "a byte a second", reply: llmtest.Slow(time.Second, "slower than any deadline"), kind: late, message: true},
		{name: "400", reply: status(400), kind: failed, message: true, free: true},
		{name: "401", reply: status(401), kind: away, free: true},
		{name: "403", reply: status(403), kind: away, free: true},
		{name: "404", reply: status(404), kind: failed, free: true},
		{name: "402", reply: status(402), kind: failed, free: true},
		{name: "422", reply: status(422), kind: failed, message: true, free: true},
		{name: "413", reply: status(413), kind: failed, message: true, free: true},
		{name: "429", reply: status(429), kind: away, attempts: 2, free: true},
		{name: "429, come back later", reply: status(429, "Retry-After", "60"), kind: away, free: true},
		{name: "500", reply: status(500), kind: failed, outages: 1, free: true},
		{name: "502", reply: status(502), kind: away, outages: 1, free: true},
		{name: "503", reply: status(503), kind: away, attempts: 2, outages: 2, free: true},
		{name: "503, come back later", reply: status(503, "Retry-After", "60"), kind: away, outages: 1, free: true},
		{name: "504", reply: status(504), kind: away, outages: 1, free: true},
		{name: "529", reply: status(529), kind: away, attempts: 2, outages: 2, free: true},
		{name: "529, come back later", reply: status(529, "Retry-After", "60"), kind: away, outages: 1, free: true},
		{name: "201", reply: status(201), kind: failed, free: true},
		{name: "a refusal that hangs", reply: hangingAnswer(400), kind: failed, message: true, free: true},
		{name: "a failure that hangs", reply: hangingAnswer(500), kind: failed, outages: 1, free: true},
		{name: "fails after a text", reply: llmtest.FailAfter("one ", "two"), kind: failed},
		{name: "garbage", reply: llmtest.Garbage(), kind: failed},
		{name: "a web page", reply: llmtest.HTML(), kind: failed},
		{name: "nothing", reply: llmtest.Body("application/json"), kind: failed},
		{name: "ends without a reason", reply: llmtest.EndAfter("one ", "two"), text: "one two"},
		{name: "cut off", reply: llmtest.CutOff("one ", "two ", "three"), kind: failed},
		{name: "dropped", reply: llmtest.Drop(), kind: failed},
		{name: "a text of 1 GB", reply: llmtest.EndlessText(gigabyte, nothing), kind: failed, message: true},
		{name: "pieces of 1 GB", reply: llmtest.EndlessPieces(gigabyte, nothing), kind: failed, message: true},
		{name: "1 GB compressed", reply: llmtest.GzipBomb(gigabyte), kind: failed, message: true},
		{name: "moved", reply: llmtest.Redirect(http.StatusMovedPermanently, elsewhere), kind: failed, free: true},
		{name: "found", reply: llmtest.Redirect(http.StatusFound, elsewhere), kind: failed, free: true},
		{name: "see other", reply: llmtest.Redirect(http.StatusSeeOther, elsewhere), kind: failed, free: true},
		{name: "temporary redirect", reply: llmtest.Redirect(http.StatusTemporaryRedirect, elsewhere), kind: failed, free: true},
		{name: "permanent redirect", reply: llmtest.Redirect(http.StatusPermanentRedirect, elsewhere), kind: failed, free: true},
		{name: "not modified", reply: llmtest.StatusBody(304, ""), kind: failed, free: true},
		{name: "an unknown encoding", reply: encoded("br"), kind: failed},
		{name: "not gzip", reply: encoded("gzip"), kind: failed},
		{name: "a status line of secrets", reply: llmtest.Bytes("HTTP/1.1 " + testKey + "\r\n\r\n" + prompt), kind: failed},
		{name: "a header of secrets", reply: llmtest.Bytes("HTTP/1.1 200 OK\r\n" + testKey + "\r\n\r\n" + prompt), kind: failed},
		{name: "another protocol", reply: llmtest.Bytes("SSH-2.0-" + prompt + "\r\n"), kind: failed},
		{name: "a header of 1 MiB", reply: llmtest.Bytes("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\n"), kind: failed},
		{name: "endless hints", reply: llmtest.Bytes(strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 20_000)), kind: failed},
		{name: "a wrong length", reply: llmtest.Bytes("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n["), kind: failed},
	}
}

func hangingAnswer(status int) llmtest.Reply {
	return func(e *llmtest.Call) {
		e.W.WriteHeader(status)
		_ = http.NewResponseController(e.W).Flush()
		<-e.Over
	}
}

// encoded declares an encoding that the body does not have.
func encoded(how string) llmtest.Reply {
	return func(e *llmtest.Call) {
		e.W.Header().Set("Content-Encoding", how)
		llmtest.Garbage()(e)
	}
}

// TestEveryMode shows that every mode is a complete reply or one fault, the same for both
// providers, with the right number of attempts. Redirects are never followed, only requests that
// cannot have been answered are retried, and no connection stays in use.
func TestEveryMode(t *testing.T) {
	t.Parallel()
	other := llmtest.NewOpenAI(t, "")
	t.Cleanup(func() {
		if n := len(other.Requests()); n != 0 {
			t.Errorf("%d redirects were followed", n)
		}
	})
	for _, a := range adapters {
		for _, m := range modes(other.URL + "/v1/chat/completions") {
			t.Run(a.name+"/"+m.name, func(t *testing.T) {
				t.Parallel()
				s := a.serve(t)
				s.Always(m.reply)
				limits := quick
				deadline := 20 * time.Second
				if m.kind == fault.ModelTimeout {
					limits.FirstByte, deadline = 300*time.Millisecond, time.Second
				}
				ctx, cancel := context.WithTimeout(t.Context(), deadline)
				defer cancel()
				ctx, attempts := llmtest.Attempts(ctx)
				m.check(ctx, t, a.model(t, s.URL, limits))
				want := max(m.attempts, 1)
				if all, outages := attempts(); all != want || outages != m.outages ||
					len(s.Requests()) != want {
					t.Errorf("%d requests, %d attempts reported, %d of them outages; want %d and %d",
						len(s.Requests()), all, outages, want, m.outages)
				}
				s.Answered(t, want)
			})
		}
	}
}

// check calls a model and compares the result.
func (m mode) check(ctx context.Context, t *testing.T, model llm.Model) {
	t.Helper()
	var pieces strings.Builder
	reply, err := model.Generate(ctx, request(), func(piece string) error {
		pieces.WriteString(piece)
		return nil
	})
	llmtest.CheckError(t, err, secrets...)
	if reply.Accepted == m.free {
		t.Errorf("the provider may bill it: %t", reply.Accepted)
	}
	if m.kind != "" {
		if !fault.Is(err, m.kind) || reply.Text != "" || errors.Is(err, llm.ErrProvider) == m.message {
			t.Errorf("reply of %d bytes, error %v, want %s, for the message %t", len(reply.Text), err,
				m.kind, m.message)
		}
		return
	}
	if err != nil || reply.Text != m.text || pieces.String() != m.text {
		t.Errorf("%d bytes in pieces of %d, error %v, want %d", len(reply.Text), pieces.Len(), err,
			len(m.text))
	}
}

// TestErrorsInsideAnAnswer shows that only a server error in the middle of an answer is the
// provider's own. A message can cause the others, so text before them is paid for.
func TestErrorsInsideAnAnswer(t *testing.T) {
	t.Parallel()
	for _, a := range adapters {
		for status, own := range map[int]bool{0: false, 400: false, 429: false, 500: true, 503: true} {
			inside := fmt.Sprintf(`{"error":{"code":%d}}`, status)
			reply := llmtest.OpenAIChunks(llmtest.OpenAIChunk("one ", ""), inside)
			if a.name == "gemini" {
				reply = llmtest.GeminiChunks(llmtest.GeminiChunk("one ", "", ""), inside)
			}
			s := a.serve(t)
			s.Next(reply)
			_, err := llmtest.Ask(t, a.model(t, s.URL, quick), request(), secrets...)
			if err == nil || errors.Is(err, llm.ErrProvider) != own {
				t.Errorf("%s, %d: %v", a.name, status, err)
			}
		}
	}
}

// TestEndlessAnswer shows that an endless answer is abandoned.
func TestEndlessAnswer(t *testing.T) {
	t.Parallel()
	for _, a := range adapters {
		s := a.serve(t)
		sent := make(chan int, 1)
		s.Next(llmtest.EndlessPieces(1<<30, func(n int) { sent <- n }))
		_, err := llmtest.Ask(t, a.model(t, s.URL, quick), request(), secrets...)
		if !fault.Is(err, fault.ModelError) || !strings.Contains(err.Error(), "over 2097152 bytes") {
			t.Errorf("%s: %v", a.name, err)
		}
		if n := <-sent; n > 64<<20 {
			t.Errorf("%s: %d bytes were sent before the connection was closed", a.name, n)
		}
	}
}

// TestOneRetry shows that the caller does not notice a provider that is busy once, and that the
// retry is the same request.
func TestOneRetry(t *testing.T) {
	t.Parallel()
	for _, a := range adapters {
		for status, outages := range map[int]int{429: 0, 503: 1} {
			s := a.serve(t)
			s.Next(llmtest.Status(status))
			ctx, attempts := llmtest.Attempts(t.Context())
			reply, err := a.model(t, s.URL, quick).Generate(ctx, request(), nil)
			got := s.Requests()
			if err != nil || reply.Text != "Hello." || len(got) != 2 ||
				string(got[0].Body) != string(got[1].Body) {
				t.Fatalf("%s after %d: %+v, %v, %d requests", a.name, status, reply, err, len(got))
			}
			if all, out := attempts(); all != 2 || out != outages {
				t.Errorf("%s after %d: %d attempts, %d outages", a.name, status, all, out)
			}
		}
	}
}

// TestRetryNeedsTime shows that a request is not retried if the deadline is too close.
func TestRetryNeedsTime(t *testing.T) {
	t.Parallel()
	for _, a := range adapters {
		s := a.serve(t)
		s.Always(llmtest.Status(503))
		ctx, cancel := context.WithTimeout(t.Context(), 900*time.Millisecond)
		_, err := a.model(t, s.URL, quick).Generate(ctx, request(), nil)
		cancel()
		if !fault.Is(err, fault.ModelUnavailable) || len(s.Requests()) != 1 {
			t.Errorf("%s: %v after %d attempts", a.name, err, len(s.Requests()))
		}
	}
}

// TestCallerGivesUp shows that a canceled attempt leaves no connection, whether the context or an
// error of emit ends it, and that it is not reported before a response header.
func TestCallerGivesUp(t *testing.T) {
	t.Parallel()
	stop := errors.New("the caller stops")
	for _, a := range adapters {
		for name, reply := range map[string]llmtest.Reply{
			"after a text": llmtest.HangAfter("one"), "before any": llmtest.Hang(), "by emit": llmtest.HangAfter("one"),
		} {
			s := a.serve(t)
			ctx, cancel := context.WithCancel(t.Context())
			ctx, attempts := llmtest.Attempts(ctx)
			s.Next(func(e *llmtest.Call) {
				if name == "before any" {
					cancel()
				}
				reply(e)
			})
			got, err := a.model(t, s.URL, quick).Generate(ctx, request(), func(string) error {
				if name == "by emit" {
					return stop
				}
				cancel()
				return nil
			})
			if want := name == "by emit"; errors.Is(err, stop) != want || !got.Accepted ||
				!want && !fault.Is(err, fault.ModelUnavailable) {
				t.Errorf("%s, %s: %+v, %v", a.name, name, got, err)
			}
			if all, outages := attempts(); (all != 0) != (name != "before any") || outages != 0 {
				t.Errorf("%s, %s: %d attempts reported, %d of them outages", a.name, name, all, outages)
			}
			s.NoConnection(t)
			cancel()
		}
	}
}
