package chat

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/circuit"
	"agentchat/internal/llm/openai"
	"agentchat/internal/store/turns"
)

// past is a conversation of equal turns with messages and replies of a size in bytes, and the token
// counts that the model reported.
func past(turnCount, bytes int, input, output *int64) *turns.BeginResult {
	begun := &turns.BeginResult{Settings: agent.Settings{Instructions: strings.Repeat("i", 300)}}
	given := int64(300 + bytes)
	for range turnCount {
		begun.History = append(begun.History,
			conversation.EarlierTurn{Message: strings.Repeat("m", bytes), Reply: strings.Repeat("r", bytes),
				InputTokens: input, InputBytes: &given, OutputTokens: output})
	}
	return begun
}

func count(n int64) *int64 { return &n }

// TestContextFitsTheWindow has 20 turns of 600 bytes and a window of 4,000 tokens. A quarter is
// reserved for the reply and a sixteenth stays free, which leaves 2,750 tokens for the prompt.
func TestContextFitsTheWindow(t *testing.T) {
	t.Parallel()
	small := catalogue.Entry{ContextWindow: 4000}
	bounded, whole := small, small
	bounded.MaxOutputTokens, whole.MaxOutputTokens = 250, 4000
	for name, c := range map[string]struct {
		input, output *int64 // the token counts of the earlier turns
		entry         catalogue.Entry
		message       int
		want          int
	}{
		"no window":                  {nil, nil, catalogue.Entry{}, 300, 20},
		"a large window":             {nil, nil, catalogue.Entry{ContextWindow: 1_000_000}, 300, 20},
		"the estimate":               {nil, nil, small, 300, 12},
		"a dense text":               {count(600), count(300), small, 300, 3},
		"a light text":               {count(150), count(75), small, 300, 17},
		"only the input":             {count(150), nil, small, 300, 17},
		"only the replies":           {nil, count(60), small, 300, 15},
		"replies with thinking":      {count(150), count(299), small, 300, 17},
		"counts of 0":                {count(0), count(0), small, 300, 12},
		"counts of 1":                {count(1), count(1), small, 300, 12},
		"counts below 0":             {count(-5), count(-5), small, 300, 12},
		"counts beyond all":          {count(1 << 62), count(1 << 62), small, 300, 12},
		"a long message":             {nil, nil, small, 6000, 3},
		"a message beyond all":       {nil, nil, small, 30_000, 0},
		"a bounded reply":            {nil, nil, bounded, 300, 16},
		"a reply as long as it gets": {nil, nil, whole, 300, 7},
		"a tiny window":              {nil, nil, catalogue.Entry{ContextWindow: 1}, 300, 0},
	} {
		if got := len(historyFor(past(20, 300, c.input, c.output), c.message, c.entry)); got != c.want {
			t.Errorf("%s: %d turns, want %d", name, got, c.want)
		}
	}
	limited := past(20, 300, nil, nil)
	limited.Settings.MaxOutputTokens = new(100)
	if got := len(historyFor(limited, 0, small)); got != 17 {
		t.Errorf("an agent's own limit: %d turns, want 17", got)
	}
}

// historyFor returns the history for a message of a size in bytes.
func historyFor(begun *turns.BeginResult, message int, entry catalogue.Entry) []llm.EarlierTurn {
	return historyWithin(begun, int64(len(begun.Settings.Instructions)+message), entry)
}

func promptFor(t *testing.T, entry catalogue.Entry, begun *turns.BeginResult, message string) llm.Request {
	t.Helper()
	req, err := (&turn{msg: Message{Text: message}}).prompt(entry, begun)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// TestOutputLimitFitsTheWindow: providers refuse a request whose limit is more than the model can
// write or its window has room for.
func TestOutputLimitFitsTheWindow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limit  int
		entry  catalogue.Entry
		turns  int
		atMost int
	}{
		"a short reply": {100, catalogue.Entry{ContextWindow: 4000, MaxOutputTokens: 2000}, 20, 100},
		"more than the model has": {1_000_000,
			catalogue.Entry{ContextWindow: 100_000, MaxOutputTokens: 2000}, 0, 2000},
		"more than the window": {1_000_000, catalogue.Entry{ContextWindow: 4000}, 0, 3550},
		"a long conversation":  {1_000_000, catalogue.Entry{ContextWindow: 4000}, 40, 2150},
		"no window":            {1_000_000, catalogue.Entry{}, 40, 1_000_000},
	} {
		begun := past(c.turns, 300, nil, nil)
		begun.Settings.MaxOutputTokens = &c.limit
		if got := promptFor(t, c.entry, begun, strings.Repeat("m", 300)).MaxOutputTokens; got == nil ||
			*got != c.atMost {
			t.Errorf("%s: the output limit is not %d tokens", name, c.atMost)
		}
	}
	if got := promptFor(t, catalogue.Entry{ContextWindow: 4000, MaxOutputTokens: 100},
		past(1, 300, nil, nil), ""); got.MaxOutputTokens != nil {
		t.Errorf("an agent without a limit has the output limit %d", *got.MaxOutputTokens)
	}
}

// TestKnowledgeTakesItsRoom tests that the passages count in the window before the history does.
func TestKnowledgeTakesItsRoom(t *testing.T) {
	t.Parallel()
	of := turn{
		msg:             Message{Text: strings.Repeat("m", 300)},
		promptKnowledge: &llm.Knowledge{Block: strings.Repeat("b", 3000)},
	}
	req, err := of.prompt(catalogue.Entry{ContextWindow: 4000}, past(20, 300, nil, nil))
	if n := len(req.History); err != nil || n != 12-5 || promptBytes(req) != int64(300+300+3000+n*600) {
		t.Errorf("%d turns in %d bytes, %v", n, promptBytes(req), err)
	}
}

// TestRulesTakeTheirRoom tests that the rules of a schema that a model's format does not state
// count in the window, are the same for all messages, and are part of the instructions that an
// owner sees.
func TestRulesTakeTheirRoom(t *testing.T) {
	t.Parallel()
	model, err := openai.New(catalogue.ProviderConfig{Name: "test", BaseURL: "http://127.0.0.1:1/v1"})
	if err != nil {
		t.Fatal(err)
	}
	entry := catalogue.Entry{ContextWindow: 4000, Model: circuit.New("test/m", model, nil)}
	pattern := `{"pattern":"` + strings.Repeat("a", 250) + `"}`
	long := `{"type":"object","properties":{"a":` + pattern + `,"b":` + pattern + `,"c":` + pattern + `}}`
	begun := past(20, 300, nil, nil)
	begun.Settings.ReplySchema = &long
	first := promptFor(t, entry, begun, "one")
	begun.History = nil
	second := promptFor(t, entry, begun, "another")
	if n := len(first.History); n != 10 || !strings.Contains(first.Rules, `/properties/a pattern "aaa`) ||
		second.Rules != first.Rules ||
		promptBytes(first) != int64(len(first.Instructions)+3+len(long)+len(first.Rules)+n*600) {
		t.Errorf("rules %q in %d bytes, then %q", first.Rules, promptBytes(first), second.Rules)
	}
	if got := InstructionsOf(entry.Model, &begun.Settings); got != first.Instructions+"\n\n"+first.Rules {
		t.Errorf("an owner sees %q", got)
	}
}

// TestContextUnderAnyCounts: whatever token counts were reported, the context is the newest turns,
// whole and in order, and as large as the bounds of bytes per token allow.
func TestContextUnderAnyCounts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entry := catalogue.Entry{ContextWindow: rapid.IntRange(0, 50_000).Draw(t, "window"),
			MaxOutputTokens: rapid.IntRange(0, 60_000).Draw(t, "output")}
		anything := rapid.OneOf(rapid.Just[*int64](nil), rapid.Ptr(rapid.Int64(), true),
			rapid.Ptr(rapid.Int64Range(0, 20_000), false))
		begun := &turns.BeginResult{Settings: agent.Settings{Instructions: strings.Repeat("i",
			rapid.IntRange(0, 9000).Draw(t, "instructions"))}}
		for i := range rapid.IntRange(0, 40).Draw(t, "turns") {
			letter := string(rune('a' + i%26))
			begun.History = append(begun.History, conversation.EarlierTurn{
				Message:     strings.Repeat(letter, rapid.IntRange(1, 3000).Draw(t, "message")),
				Reply:       strings.Repeat(letter, rapid.IntRange(1, 3000).Draw(t, "reply")),
				InputTokens: anything.Draw(t, "input"), InputBytes: anything.Draw(t, "input bytes"),
				OutputTokens: anything.Draw(t, "output tokens"),
			})
		}
		message := strings.Repeat("m", rapid.IntRange(1, 9000).Draw(t, "now"))
		got := historyFor(begun, len(message), entry)
		bytes := len(begun.Settings.Instructions) + len(message)
		for i, turn := range got {
			e := begun.History[len(begun.History)-len(got)+i]
			if turn.User != e.Message || turn.Assistant != e.Reply {
				t.Fatalf("turn %d of %d is not the newest in order", i, len(got))
			}
			bytes += len(turn.User) + len(turn.Assistant)
		}
		room := promptTokens(entry, nil)
		if entry.ContextWindow > 0 && len(got) > 0 && float64(bytes)/maxBytesPerToken > room {
			t.Errorf("%d bytes in room for %.0f tokens", bytes, room)
		}
		if next := len(begun.History) - len(got) - 1; next >= 0 {
			bytes += len(begun.History[next].Message) + len(begun.History[next].Reply)
			if entry.ContextWindow == 0 || float64(bytes)/minBytesPerToken <= room {
				t.Errorf("%d turns where one more is %d bytes and the room is for %.0f tokens", len(got), bytes, room)
			}
		}
	})
}

// TestGrowingConversationFitsTheWindow: a model that counts correctly is never given more tokens
// than its window, however long the conversation and however dense its text.
func TestGrowingConversationFitsTheWindow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entry := catalogue.Entry{ContextWindow: rapid.IntRange(4000, 16_000).Draw(t, "window")}
		density := rapid.Float64Range(1.5, 5).Draw(t, "bytes a token")
		tokens := func(bytes int) int64 { return int64(float64(bytes)/density) + 4 }
		begun := &turns.BeginResult{Settings: agent.Settings{Instructions: strings.Repeat("i",
			rapid.IntRange(0, 1500).Draw(t, "instructions"))}}
		for turn := range 120 {
			message := strings.Repeat("m", rapid.IntRange(20, entry.ContextWindow/8).Draw(t, "message"))
			reply := strings.Repeat("r", rapid.IntRange(20, entry.ContextWindow/8).Draw(t, "reply"))
			given := len(begun.Settings.Instructions) + len(message)
			input := tokens(len(begun.Settings.Instructions)) + tokens(len(message))
			history := historyFor(begun, len(message), entry)
			for _, e := range history {
				given += len(e.User) + len(e.Assistant)
				input += tokens(len(e.User)) + tokens(len(e.Assistant))
			}
			if input > int64(entry.ContextWindow) {
				t.Fatalf("turn %d: %d turns are %d tokens, over the window of %d", turn, len(history), input,
					entry.ContextWindow)
			}
			if turn > 5 && len(history) == 0 {
				t.Fatalf("turn %d is given nothing", turn)
			}
			begun = withTurn(begun, message, reply, input, int64(given), tokens(len(reply)))
		}
	})
}

// withTurn adds an answered turn and keeps the newest 40, as the store reads them.
func withTurn(begun *turns.BeginResult, message, reply string, input, given, output int64) *turns.BeginResult {
	begun.History = append(begun.History, conversation.EarlierTurn{Message: message, Reply: reply,
		InputTokens: &input, InputBytes: &given, OutputTokens: &output})
	begun.History = begun.History[max(0, len(begun.History)-40):]
	return begun
}

// TestPromptBytesOfChains: the prompt of results is the settings, the message, and all texts, calls
// and results that followed it. Each byte counts once. Their ids and the adapter's state do not
// count.
func TestPromptBytesOfChains(t *testing.T) {
	t.Parallel()
	shape := `{"type":"object"}`
	settings := agent.Settings{Instructions: "Be kind.", ReplySchema: &shape, Actions: []agent.Action{
		{Name: "look_up", Description: "Looks.", Parameters: `{}`}, {Name: "wait", Description: "Waits.",
			Parameters: `{}`}}}
	calls := []conversation.ActionCall{{ID: "act_1_1", Name: "look_up", Arguments: []byte(`{"a":"é"}`)},
		{ID: "act_1_2", Name: "wait", Arguments: []byte(`{}`)}}
	results := []conversation.ActionResult{{ID: "act_1_1", Result: []byte(`{"b":1}`)},
		{ID: "act_1_2", Error: "Nø."}}
	second := []conversation.ActionCall{{ID: "act_2_1", Name: "wait", Arguments: []byte(`{"c":2}`)}}
	last := []conversation.ActionResult{{ID: "act_2_1", Result: []byte(`null`)}}
	const (
		fixed    = 8 + 17 + 7 + 6 + 2 + 4 + 6 + 2 // instructions, schema, and both actions
		question = 6
		first    = 12 + 7 + 10 + 4 + 2 + 7 + 4 // the text, two calls, a result and an error
		then     = 4 + 7 + 4                   // a call and its result
	)
	sent := []conversation.ChainTurn{{Message: "Where?", Reply: "Let me look.", Calls: calls,
		Provider: `{"reply":"raw"}`, Model: "test/m"},
		{Results: results, Calls: second}}

	for name, c := range map[string]struct {
		chain int
		msg   Message
		want  int64
	}{
		"a message":         {0, Message{Text: "Where?"}, fixed + question},
		"the first results": {1, Message{Results: conversation.NewActionResults(results)}, fixed + question + first},
		"the second results": {2, Message{Results: conversation.NewActionResults(last)}, fixed +
			question + first + then},
	} {
		begun := &turns.BeginResult{Settings: settings, Chain: sent[:c.chain]}
		req, err := (&turn{msg: c.msg}).prompt(catalogue.Entry{Name: "test/m"}, begun)
		if got := promptBytes(req); err != nil || got != c.want {
			t.Errorf("%s: %d bytes, want %d; %v", name, got, c.want, err)
		}
	}
}
