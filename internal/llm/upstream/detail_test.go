package upstream_test

import (
	"errors"
	"strings"
	"testing"

	"agentchat/internal/llm"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/llm/upstream"
)

func TestMasked(t *testing.T) {
	t.Parallel()
	const model = "meta-llama/Llama-3.3-70B-Instruct-Turbo"
	long := strings.Repeat("é", 299)
	for text, want := range map[string]string{
		"The key " + testKey + " is bad":                           "The key ••• is bad",
		"key=sk-test%2Bsecret%2F0123456789abcdef&a":                "key=•••&a",
		"see https://ada:pw@example.com/a?b#c now":                 "see ••• now",
		"ftp://10.1.2.3/x, <b>it's</b> & <a>":                      "••• <b>it's</b> & <a>",
		"ask ada.l+x@example.com or ada@intranet.":                 "ask ••• or •••",
		"host gpu-7.prod.svc.cluster.local:8000/v1":                "host •••",
		"at api.example.com, 10.0.0.7:80, [::1]:80":                "at •••, •••, •••",
		"localhost/a?key=b and xn--mller-kva.de":                   "••• and •••",
		"sk-0123456789abc and sk-0123456789ab":                     "••• and sk-0123456789ab",
		"550e8400-e29b-41d4-a716-446655440000":                     "•••",
		"additional_properties_unsupported":                        "additional_properties_unsupported",
		"'" + model + "' or Llama-4.3-70B-Instruct-Turb0":          "'" + model + "' or Llama-4.•••",
		"tools[0].function.name, b[12].content: 1.5":               "tools[0].function.name, b[12].content: 1.5",
		" one\r\n\ttwo\x00\u202e\u2066three\u200f ":                "one   twothree",
		"sk-0123\u200e456789abc":                                   "•••",
		long + "•••":                                               long + "•",
		long + testKey:                                             long + "•",
		"http://" + strings.Repeat("a", 1_980) + " now " + testKey: "••• now ",
	} {
		if got := upstream.Masked(testKey, model, text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	if got := upstream.Masked("", "", "no key"); got != "no key" {
		t.Errorf("without a key: %q", got)
	}
}

// TestProviderErrors tests that an error has the status of a refusal, and its text only if the
// message may have caused it.
func TestProviderErrors(t *testing.T) {
	t.Parallel()
	body := `{"error":{"status":"S","message":"<b>` + testKey + `</b> is 5"}}`
	for _, a := range adapters {
		const said = "<b>•••</b> is 5"
		for status, text := range map[int]string{400: said, 413: said, 422: said,
			401: "", 404: "", 429: "", 500: ""} {
			s := a.serve(t)
			s.Always(llmtest.StatusBody(status, body))
			_, err := llmtest.Ask(t, a.model(t, s.URL, quick), request(), secrets...)
			refused, ok := errors.AsType[*llm.ProviderError](err)
			if !ok || refused.Status != status || refused.Code != "" || refused.Message != text {
				t.Errorf("%s, %d: %+v", a.name, status, refused)
			}
		}
		s := a.serve(t)
		s.Always(llmtest.Drop())
		_, err := llmtest.Ask(t, a.model(t, s.URL, quick), request(), secrets...)
		if _, ok := errors.AsType[*llm.ProviderError](err); ok || err == nil {
			t.Errorf("%s, without an answer: %v", a.name, err)
		}
	}
}
