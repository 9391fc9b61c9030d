package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
)

// usageRow checks that a model's reported usage does not change the price.
type usageRow struct {
	*deployment
	row   *faultRow
	wrong int
}

// expect sends a message, whole and streamed, and checks that both are answered at the model's price.
func (u *usageRow) expect(t *testing.T, caller *apiCaller, what, message string) {
	t.Helper()
	for _, streamed := range []bool{false, true} {
		before := u.figures(t, caller)
		got := u.post(t, u.chat(), caller, fmt.Sprintf(`{"message":%q,"session_id":"s","stream":%t}`, message, streamed))
		want := before
		want.Balance, want.Entries, want.Answered, want.Conversations = before.Balance-1, before.Entries+1, before.Answered+1, 1
		complete := got.Usage.Credits == 1 && got.Reply != ""
		if streamed {
			_, last, ended := strings.Cut(string(got.Body), "event: end\n")
			complete = ended && strings.Contains(last, `"credits":1,`)
		}
		if after := u.figures(t, caller); got.Status != http.StatusOK || !complete || after != want {
			u.wrong++
			u.row.Errorf("%s, streamed %t: %d %s, figures %+v, then %+v", what, streamed, got.Status, excerpt(got.Body), before, after)
		}
		u.row.ran(1)
	}
}

// TestUsageNeverChangesThePrice: whatever tokens a model reports, a message costs the model's price, and the next message gets the whole
// conversation.
func TestUsageNeverChangesThePrice(t *testing.T) {
	t.Parallel()
	row := newRow(t, "M7")
	gemini, openAI := llmtest.NewGemini(t), llmtest.NewOpenAI(t, openAIKey)
	u := &usageRow{row: row, deployment: newDeployment(t, 1, "GEMINI_API_KEY="+geminiKey, "GEMINI_BASE_URL="+gemini.URL,
		"OPENAI_API_KEY="+openAIKey, "OPENAI_BASE_URL="+openAI.URL+"/v1")}
	defer u.finish(t)
	row.audit(u.store)
	google, open := u.newCaller(t, storetest.Options{Model: geminiModel}), u.newCaller(t, storetest.Options{Model: openAIModel})
	sandbox := u.newCaller(t, storetest.Options{})
	reports := func(usageOfGemini, usageOfOpenAI string) {
		t.Helper()
		gemini.Always(llmtest.GeminiChunks(llmtest.GeminiChunk("Aye.", "1", usageOfGemini)))
		u.expect(t, google, "Gemini reports "+usageOfGemini, "hello")
		chunks := []string{llmtest.OpenAIChunk("Aye.", "stop")}
		if usageOfOpenAI != "" {
			chunks = append(chunks, llmtest.OpenAIUsage(usageOfOpenAI))
		}
		openAI.Always(llmtest.OpenAIChunks(chunks...))
		u.expect(t, open, "OpenAI reports "+usageOfOpenAI, "hello")
	}
	values := []string{"-1", "0", "9223372036854775807", "-9223372036854775808", "99999999999999999999999", "1e308", "-1e308", "0.5",
		`"many"`, "null", "true", "[]", "[1]", "{}"}
	for _, v := range values {
		reports(fmt.Sprintf(`{"promptTokenCount":%s,"candidatesTokenCount":%s,"totalTokenCount":%s}`, v, v, v),
			fmt.Sprintf(`{"prompt_tokens":%s,"completion_tokens":%s,"total_tokens":%s}`, v, v, v))
		u.expect(t, sandbox, "the sandbox reports "+v, fmt.Sprintf("[[sandbox tokens=%s:%s]]", strings.Trim(v, `"`), strings.Trim(v, `"`)))
	}
	objects := []string{"", "{}", "null", "[]", `"none"`}
	for _, object := range objects {
		reports(object, object)
	}
	reported := len(values) + len(objects)
	n, m := len(gemini.Last(t).Gemini(t).Contents), len(openAI.Last(t).OpenAI(t).Messages)
	if want := 2*min(2*reported-1, 40) + 1; n != want || m != want+1 {
		row.Errorf("the last messages were sent with %d and %d texts, want %d and, with the instructions, %d", n, m, want, want+1)
	}
	var implausible int
	if err := u.store.DB().QueryRowContext(t.Context(), `SELECT count(*) FROM turns WHERE input_tokens < 0 OR output_tokens < 0
		OR input_tokens > 2147483647 OR output_tokens > 2147483647`).Scan(&implausible); err != nil || implausible > 0 {
		row.Errorf("%d turns have implausible token counts, %v", implausible, err)
	}
	for caller, messages := range map[*apiCaller]int64{google: int64(2 * reported), open: int64(2 * reported), sandbox: int64(2 * len(values))} {
		if got := u.figures(t, caller); got.Balance != 100-messages || got.Held != 0 {
			row.Errorf("after %d messages: %+v", messages, got)
		}
	}
	row.measured("messages not charged at the price: %d; %d values and %d forms of usage, in two wire formats and from the sandbox, "+
		"whole and streamed", u.wrong, len(values), len(objects))
}
