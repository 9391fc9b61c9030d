package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
)

// sandboxFailures are the directives that make the sandbox fail, and their error codes.
func sandboxFailures() map[string]string {
	return map[string]string{
		"fail=error": "model_error", "fail=garbage": "model_error", "fail=unavailable": "model_unavailable", "fail=timeout": "model_timeout",
		"fail=blocked": "content_blocked", "fail=panic": "internal", "fail=internal": "internal", "fail=rate_limited": "rate_limited",
		"fail=insufficient_credits": "insufficient_credits", "fail=session_busy": "session_busy",
	}
}

// failures are the sandbox's failures before and after its first word, whole and streamed.
func (l *leakRow) failures() (all []provocation) {
	directives := sandboxFailures()
	directives["delay=1m"], directives["words=1000 pace=10ms"] = "model_timeout", "model_timeout"
	for directive, code := range directives {
		p := l.refused(code, fmt.Sprintf(`{"message":"[[sandbox %s]]"}`, directive))
		p.name = directive
		all = append(all, p)
		for _, after := range []string{"", " after=20"} {
			if after != "" && !strings.HasPrefix(directive, "fail=") {
				continue
			}
			message := "[[sandbox " + directive + after + "]]"
			var paid int64 // for text that was sent
			if directive == "fail=blocked" && after != "" || strings.HasPrefix(directive, "words=") {
				paid = 1
			}
			all = append(all, provocation{name: directive + after + " streamed", code: code, do: func(t *testing.T, caller *apiCaller) (answer, int64) {
				t.Helper()
				got := l.stream(t, l.chat(), caller, message)
				body := string(got.Body)
				if strings.Contains(body, `"code":"`+code+`"`) || code == "model_timeout" && strings.Contains(body, `"finish_reason":"timeout"`) {
					got.Error.Code = code
				}
				return got, paid
			}})
		}
	}
	return all
}

// modelFaults lets a model's server fail in every way, whole and streamed. A reply after each failure keeps the model's circuit breaker
// closed for the next.
func (l *leakRow) modelFaults(t *testing.T, server *llmtest.Server, model, key string) {
	t.Helper()
	caller := l.newCaller(t, storetest.Options{Model: model, Credits: 10_000})
	left := l.available(t, caller)
	for _, f := range append(modelFailures(key), modelFailure{name: "no reply", reply: llmtest.Hang()},
		modelFailure{name: "half a reply", reply: llmtest.HangAfter("So far so"), ends: "timeout"}) {
		for _, streamed := range []bool{false, true} {
			server.Always(f.reply)
			asked := len(server.Requests())
			var got answer
			if streamed {
				got = l.stream(t, l.chat(), caller, "hello")
			} else {
				got = l.post(t, l.chat(), caller, caller.expand.Replace(hello))
			}
			ended := strings.Contains(string(got.Body), "event: end")
			if len(server.Requests()) == asked || got.Reply != "" || ended != (streamed && f.ends != "") {
				l.t.Errorf("%s, %s: %d %s after %d requests", model, f.name, got.Status, excerpt(got.Body), len(server.Requests())-asked)
			}
			if streamed && f.charged() {
				left--
			}
			l.expectNone(t, caller, model+", "+f.name, left)
			server.Always(llmtest.Text("Aye."))
			if got := l.post(t, l.chat(), caller, caller.expand.Replace(hello)); got.Status != http.StatusOK {
				t.Fatalf("after %s: %d %s", f.name, got.Status, got.Body)
			}
			left--
		}
	}
}
