package chat_test

import (
	"fmt"
	"testing"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/gemini"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/llm/openai"
	"agentchat/internal/store/storetest"
)

// end is a way in which an answer of a model's server can end.
type end struct {
	name string
	// after answers with this end, after a text unless it is "".
	after func(text string) llmtest.Reply
	// finish is the finish reason of a reply with text; "" if the reply is free, with the fault of a
	// reply without text.
	finish llm.FinishReason
	// kind is the fault without text.
	kind fault.Kind
	// event marks an end that is no reason but an error: what was not sent yet is not sent.
	event bool
}

const never = "" // no reply, whatever was sent

// geminiEnds are Gemini's finish reasons by name and by number, others, none at all, and errors in
// the middle.
func geminiEnds() []end {
	reason := func(json string) func(string) llmtest.Reply {
		return func(text string) llmtest.Reply {
			if text == "" {
				return llmtest.GeminiChunks(`{"candidates":[{"finishReason":` + json + `}]}`)
			}
			return llmtest.GeminiChunks(llmtest.GeminiChunk(text, "", ""), llmtest.GeminiChunk(" there", json, ""))
		}
	}
	then := func(chunk string) func(string) llmtest.Reply {
		return func(text string) llmtest.Reply {
			if text == "" {
				return llmtest.GeminiChunks(chunk)
			}
			return llmtest.GeminiChunks(llmtest.GeminiChunk(text, "", ""), chunk)
		}
	}
	var ends []end
	for _, names := range []struct {
		finish llm.FinishReason
		kind   fault.Kind
		json   []string
	}{
		{llm.FinishStop, fault.ModelError,
			[]string{`"STOP"`, "1", `"LANGUAGE"`, "6", `"OTHER"`, "5", `"MALFORMED_FUNCTION_CALL"`, "10",
				`"UNEXPECTED_TOOL_CALL"`, "12", `"TOO_MANY_TOOL_CALLS"`, `"NO_IMAGE"`, `"MISSING_THOUGHT_SIGNATURE"`, `"TIRED"`, "99", "-1",
				"1e9", "1e99", "1.5", "null", "0", `"FINISH_REASON_UNSPECIFIED"`, `""`, "{}", "[1]", "true"}},
		{llm.FinishLength, fault.ModelError, []string{`"MAX_TOKENS"`, "2"}},
		{llm.FinishBlocked, fault.ContentBlocked,
			[]string{`"SAFETY"`, "3", `"RECITATION"`, "4", `"BLOCKLIST"`, "7", `"PROHIBITED_CONTENT"`,
				"8", `"SPII"`, "9", `"IMAGE_SAFETY"`, "11"}},
	} {
		for _, json := range names.json {
			ends = append(ends, end{"reason " + json, reason(json), names.finish, names.kind, false})
		}
	}
	failure := func(json string) func(string) llmtest.Reply { return then(`{"error":` + json + `}`) }
	return append(ends,
		end{"no reason", then(`{}`), llm.FinishStop, fault.ModelError, false},
		end{"no reason and no end", func(text string) llmtest.Reply {
			return llmtest.Body("application/json", "["+llmtest.GeminiChunk(text, "", ""))
		}, llm.FinishStop, fault.ModelError, false},
		end{"a blocked prompt", then(`{"promptFeedback":{"blockReason":"OTHER"}}`), llm.FinishBlocked,
			fault.ContentBlocked, false},
		end{"error 400", failure(`{"code":400,"status":"INVALID_ARGUMENT"}`), llm.FinishStop, fault.ModelError, true},
		end{"error 429", failure(`{"code":429}`), llm.FinishStop, fault.ModelUnavailable, true},
		end{"an error without a status", failure(`{"message":"no"}`), llm.FinishStop, fault.ModelError, true},
		end{"error 500", failure(`{"code":500}`), never, fault.ModelError, true},
		end{"error 503", failure(`{"code":503}`), never, fault.ModelUnavailable, true},
		end{"not JSON", then(`{"candidates":no}`), never, fault.ModelError, true},
	)
}

// openAIEnds are the same for OpenAI and servers like it.
func openAIEnds() []end {
	then := func(chunks ...string) func(string) llmtest.Reply {
		return func(text string) llmtest.Reply {
			if text == "" {
				return llmtest.OpenAIChunks(chunks...)
			}
			return llmtest.OpenAIChunks(append([]string{llmtest.OpenAIChunk(text, "")}, chunks...)...)
		}
	}
	var ends []end
	for _, names := range []struct {
		finish llm.FinishReason
		kind   fault.Kind
		json   []string
	}{
		{llm.FinishStop, fault.ModelError,
			[]string{`"stop"`, `"eos"`, `"end_turn"`, `"tool_calls"`, `"function_call"`, `"tired"`,
				`"error"`,
				"null", `""`, "1", "{}", "true"}},
		{llm.FinishLength, fault.ModelError, []string{`"length"`, `"max_tokens"`}},
		{llm.FinishBlocked, fault.ContentBlocked, []string{`"content_filter"`}},
	} {
		for _, json := range names.json {
			ends = append(ends,
				end{"reason " + json, then(llmtest.OpenAIDelta("{}", json)), names.finish, names.kind, false},
				end{"whole, reason " + json, func(text string) llmtest.Reply {
					return llmtest.OpenAIWhole(fmt.Sprintf(`{"content":%q}`, text), json)
				}, names.finish, names.kind, false})
		}
	}
	failure := func(json string) func(string) llmtest.Reply { return then(`{"error":` + json + `}`) }
	return append(ends,
		end{"no reason but [DONE]", then(), llm.FinishStop, fault.ModelError, false},
		end{"neither a reason nor [DONE]", func(text string) llmtest.Reply {
			if text == "" { // an empty body is no reply
				return llmtest.OpenAIChunks()
			}
			return llmtest.EndAfter(text)
		}, llm.FinishStop, fault.ModelError, false},
		end{"a reason without [DONE]", func(text string) llmtest.Reply {
			return llmtest.Body("text/event-stream", "data: "+llmtest.OpenAIChunk(text, "tool_calls")+"\n\n")
		}, llm.FinishStop, fault.ModelError, false},
		end{"a refusal", then(llmtest.OpenAIDelta(`{"refusal":"no"}`, "null")), llm.FinishBlocked,
			fault.ContentBlocked, false},
		end{"error 400", failure(`{"code":400}`), llm.FinishStop, fault.ModelError, true},
		end{"error 429", failure(`{"code":"rate_limit_exceeded"}`), llm.FinishStop, fault.ModelUnavailable, true},
		end{"a filter's error", failure(`{"code":"content_filter"}`), llm.FinishBlocked, fault.ContentBlocked, true},
		end{"an error without a status", failure(`{"message":"no"}`), llm.FinishStop, fault.ModelError, true},
		end{"an error of text", failure(`"no"`), llm.FinishStop, fault.ModelError, true},
		end{"error 500", failure(`{"type":"server_error"}`), never, fault.ModelError, true},
		end{"error 503", failure(`{"code":503}`), never, fault.ModelUnavailable, true},
		end{"not JSON", then(`{"choices":no}`), never, fault.ModelError, true},
	)
}

// TestEveryEndOfAReply: text that was sent is paid for, however the model ends the reply; only what
// the provider alone brings about is free. A whole reply is one whatever its reason is called.
// Without text there is no reply and no charge.
func TestEveryEndOfAReply(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]struct {
		build catalogue.Factory
		serve func(testing.TB) *llmtest.Server
		path  string
		ends  []end
	}{
		"gemini": {gemini.New, llmtest.NewGemini, "", geminiEnds()},
		"openai": {openai.New,
			func(t testing.TB) *llmtest.Server { t.Helper(); return llmtest.NewOpenAI(t, "") }, "/v1",
			openAIEnds()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := p.serve(t)
			model, err := p.build(catalogue.ProviderConfig{Name: name, APIKey: "key", BaseURL: server.URL + p.path})
			if err != nil {
				t.Fatal(err)
			}
			b := newSetup(t, 1, func(c *chat.Config) {
				c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/model", CreditsPerMessage: 1, Model: model})
			})
			for _, e := range p.ends {
				f := storetest.Seed(t, b.store, storetest.Options{Model: "test/model"})
				useUnpaidCalls(t, b.store, f, 30)
				for _, text := range []string{"Hello", ""} {
					for _, streamed := range []bool{true, false} {
						server.Always(e.after(text))
						e.check(t, b, f, text, streamed)
					}
				}
			}
			storetest.Audit(t, b.store)
		})
	}
}

// check sends a message to a model that ends so.
func (e end) check(t *testing.T, b *setup, f storetest.Fixture, text string, streamed bool) {
	t.Helper()
	what := fmt.Sprintf("%s after %q, streamed %t", e.name, text, streamed)
	msg, l := newMessage(f, "s", "hello"), newListener()
	if streamed {
		msg.Stream = l
	}
	before, _ := balance(t, b.store, f)
	free := unpaidTAT(t, b.store, f)
	got, err := b.replicas[0].Send(t.Context(), msg)
	_, sent := l.received()
	left, held := balance(t, b.store, f)
	taken := spent(t, b.store, f, free)
	if e.finish == never || text == "" || e.event && !streamed {
		if !fault.Is(err, e.kind) || got.Answer != nil || left != before || held != 0 {
			t.Errorf("%s: %v, answered %+v, paid %d, held %d; want %s for nothing", what, err, got.Answer,
				before-left, held, e.kind)
		}
		// The provider's own failures take no unpaid call, unless text was sent.
		if provider := e.finish == never ||
			e.kind == fault.ModelUnavailable; (taken == 1) == (provider && sent == "") || taken < 0 {
			t.Errorf("%s: %g unpaid calls", what, taken)
		}
		return
	}
	if err != nil || got.Answer == nil || got.Answer.FinishReason != e.finish || left != before-1 ||
		held != 0 || taken != -1 ||
		streamed && got.Answer.Reply != sent || len(got.Answer.Reply) < len(text) {
		t.Errorf("%s: %v, answered %+v, sent %q, paid %d, held %d; want %s for a credit",
			what, err, got.Answer, sent, before-left, held, e.finish)
	}
}
