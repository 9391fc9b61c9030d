package sandbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/sandbox"
)

// pieces collects what a model streams.
type pieces []string

func (p *pieces) emit(text string) error {
	*p = append(*p, text)
	return nil
}

// say sends one message, and checks that the reply is not empty and that the streamed pieces add up
// to it.
func say(t *testing.T, req llm.Request) llm.Reply {
	t.Helper()
	var got pieces
	reply, err := sandbox.New().Generate(t.Context(), req, got.emit)
	if err != nil {
		t.Fatalf("Generate(%.80q): %v", req.Message, err)
	}
	checkReply(t, reply, got)
	return reply
}

func checkReply(t *testing.T, reply llm.Reply, streamed pieces) {
	t.Helper()
	if strings.TrimSpace(reply.Text) == "" && len(reply.Calls) == 0 {
		t.Error("the reply is empty")
	}
	if joined := strings.Join(streamed, ""); joined != reply.Text {
		t.Errorf("streamed %.200q, the reply is %.200q", joined, reply.Text)
	}
	if reply.Finish != llm.FinishStop && reply.Finish != llm.FinishLength {
		t.Errorf("finish = %q", reply.Finish)
	}
	if reply.InputTokens == nil || reply.OutputTokens == nil {
		t.Error("the usage is missing")
	}
}

// TestRecallsFacts shows that the newest statement of the end user counts.
func TestRecallsFacts(t *testing.T) {
	t.Parallel()
	const unknown = "I cannot see that you told me your "
	for _, tc := range []struct{ stated, asked, want string }{
		{"Hello", "My name is Ada", "I will remember that your name is Ada."},
		{"My name is Ada", "What is my name?", "Your name is Ada."},
		{"Actually, my name is Grace.", "what is my name", "Your name is Grace."},
		{"My dog's name is Rex", "what's my dog's name", "Your dog's name is Rex."},
		{"My name is Ada and my order number is #42.", "And what’s my order number?",
			"Your order number is #42."},
		{"My name is Ada and my order number is #42.", "What is my name? What is my city?",
			"Your name is Ada. " + unknown + "city."},
		{"My hobbies are chess and tea.", "What are my hobbies?", "Your hobbies are chess and tea."},
		{"Hello\nmy city is São Paulo\nthanks", "What is my city?", "Your city is São Paulo."},
		{"[[sandbox words=3]] My name is Ada [[sandbox pace=0s]]", "What is my name?", "Your name is Ada."},
		{"Is my name Ada?", "What is my name?", unknown + "name."},
		{"My name is", "What is my name?", unknown + "name."},
	} {
		history := []llm.EarlierTurn{
			{User: "My name is Eve", Assistant: "Yes?"},
			{User: tc.stated, Assistant: "My name is Robot."},
			{User: "Hm.", Assistant: "Yes?"},
		}
		if tc.want[:1] == "I" {
			history = history[1:]
		}
		reply := say(t, llm.Request{Instructions: "Be brief.", History: history, Message: tc.asked})
		if !strings.Contains(reply.Text, tc.want) || !strings.Contains(reply.Text, "Be brief.") {
			t.Errorf("%s: reply %q does not contain %q", tc.stated, reply.Text, tc.want)
		}
	}
}

// TestNoQuestion shows that a message that does not ask for a fact is not answered like one that
// does.
func TestNoQuestion(t *testing.T) {
	t.Parallel()
	for _, message := range []string{
		"Where is my parcel?", "my my my", "What is your name?", "my", "enemy mine", "What is my",
	} {
		reply := say(t, llm.Request{Message: message})
		for _, unwanted := range []string{"I cannot see", "I will remember", "Your "} {
			if strings.Contains(reply.Text, unwanted) {
				t.Errorf("%q: reply %q contains %q", message, reply.Text, unwanted)
			}
		}
		if !strings.Contains(reply.Text, "You wrote: “"+message+"”") {
			t.Errorf("%q: reply %q does not quote it", message, reply.Text)
		}
	}
}

func TestTurnNumber(t *testing.T) {
	t.Parallel()
	three := []llm.EarlierTurn{{User: "a"}, {User: "c"}, {User: "e"}}
	for _, tc := range []struct {
		history []llm.EarlierTurn
		number  int64
		want    string
	}{
		{nil, 0, "This is turn 1 of our conversation. You"},
		{nil, 1, "This is turn 1 of our conversation. You"},
		{three, 0, "This is turn 4 of our conversation. You"},
		{three, 4, "This is turn 4 of our conversation. You"},
		{three, 10_000, "This is turn 10000 of our conversation. Of the turns before it I was given the last 3. You"},
		{three, 2, "This is turn 4 of our conversation. You"},
		{three, -1, "This is turn 4 of our conversation. You"},
	} {
		reply := say(t, llm.Request{History: tc.history, TurnNumber: tc.number, Message: "x"})
		if !strings.HasPrefix(reply.Text, tc.want) {
			t.Errorf("%d turns, number %d: reply %q", len(tc.history), tc.number, reply.Text)
		}
	}
}

func TestHistoryIsExact(t *testing.T) {
	t.Parallel()
	awkward := "<b>&amp;\"\\ \u2028 é e\u0301 🙂 \r\n\t \\u0000 ’"
	req := llm.Request{
		Instructions: awkward,
		History:      []llm.EarlierTurn{{User: " padded ", Assistant: awkward}, {User: "[[sandbox words=3]]", Assistant: "x"}},
		Message:      "please " + awkward + " [[Sandbox  History]] ",
	}
	limit := 1
	req.MaxOutputTokens = &limit
	reply := say(t, req)
	if reply.Finish != llm.FinishStop {
		t.Errorf("finish = %q: the output limit must not cut the history", reply.Finish)
	}
	if !strings.HasPrefix(reply.Text, `{"instructions":"<b>&amp;`) {
		t.Errorf("reply %q: HTML is escaped, or the fields are in another order", reply.Text)
	}
	var got struct {
		Instructions string
		Turns        []struct{ Role, Text string }
	}
	if err := json.Unmarshal([]byte(reply.Text), &got); err != nil {
		t.Fatal(err)
	}
	want := []struct{ Role, Text string }{
		{"user", " padded "}, {"assistant", awkward}, {"user", "[[sandbox words=3]]"}, {"assistant", "x"}, {"user", req.Message},
	}
	if got.Instructions != awkward || !slices.Equal(got.Turns, want) {
		t.Errorf("history = %+v", got)
	}
}

func TestMaxOutputTokens(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		message string
		limit   int
		words   int
		finish  llm.FinishReason
	}{
		{"[[sandbox words=10]]", 11, 10, llm.FinishStop},
		{"[[sandbox words=10]]", 10, 10, llm.FinishStop},
		{"[[sandbox words=10]]", 9, 9, llm.FinishLength},
		{"hello", 1, 1, llm.FinishLength},
		{"hello", 0, 1, llm.FinishLength},
		{"hello", -5, 1, llm.FinishLength},
		{"[[sandbox what]]", 7, 7, llm.FinishLength},
		{"[[sandbox words=10 finish=length]]", 20, 10, llm.FinishLength},
	} {
		reply := say(t, llm.Request{Message: tc.message, MaxOutputTokens: &tc.limit})
		if n := len(strings.Fields(reply.Text)); n != tc.words || reply.Finish != tc.finish ||
			*reply.OutputTokens != int64(n) {
			t.Errorf("%q, limit %d: %d words, finish %q, %d tokens", tc.message, tc.limit, n, reply.Finish,
				*reply.OutputTokens)
		}
	}
}

// TestStops shows that a reply stops when its context ends or emit fails.
func TestStops(t *testing.T) {
	t.Parallel()
	gone := errors.New("the reader is gone")
	for _, byEmit := range []bool{true, false} {
		ctx, cancel := context.WithCancel(t.Context())
		pieces := 0
		message := llm.Request{Message: "[[sandbox words=100]]"}
		_, err := sandbox.New().Generate(ctx, message, func(string) error {
			if pieces++; pieces < 3 {
				return nil
			}
			if byEmit {
				return gone
			}
			cancel()
			return nil
		})
		if errors.Is(err, gone) != byEmit || errors.Is(err, context.Canceled) == byEmit ||
			fault.Is(err, fault.ModelUnavailable) == byEmit || pieces != 3 {
			t.Errorf("after %d pieces: %v", pieces, err)
		}
		cancel()
		if _, err = sandbox.New().Generate(ctx, message, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("with an ended context: %v", err)
		}
	}
}

func TestDelayAndPaceEndWithTheDeadline(t *testing.T) {
	t.Parallel()
	for _, message := range []string{
		"[[sandbox delay=5m]]",
		"[[sandbox words=100000 pace=1m]]",
		"[[sandbox fail=error delay=20s]]",
		"[[sandbox fail=error after=100 pace=1s]]",
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			start := time.Now()
			for _, emit := range []func(string) error{nil, new(pieces).emit} {
				_, err := sandbox.New().Generate(ctx, llm.Request{Message: message}, emit)
				if !fault.Is(err, fault.ModelTimeout) || time.Since(start) != 10*time.Second {
					t.Errorf("%s: %v after %v", message, err, time.Since(start))
				}
			}
		})
	}
}
