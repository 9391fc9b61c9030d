package turns_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"agentchat/internal/conversation"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

func TestMain(m *testing.M) { storetest.Main(m) }

func TestHistoryIsWholeNewestTurnsInOrder(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	for i := range 6 {
		storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { b.Message = string(rune('a' + i)) })
	}
	got := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.MaxContextBytes = 3*3 + 2 }) // a letter and "hi" each: three fit whole
	if len(got.History) != 3 || got.History[0].Message != "d" || got.History[2].Message != "f" || got.History[1].Reply != "hi" {
		t.Errorf("context: %+v", got.History)
	}
	if got.Number != 7 {
		t.Errorf("number %d, want 7", got.Number)
	}
}

// TestHistoryHasTokenCounts: the counts that the agent's current model reported, and the size of
// the prompt.
func TestHistoryHasTokenCounts(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	settled := func(in turns.Settlement) {
		t.Helper()
		storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { in.TurnID = b.TurnID })
		in.State, in.Reply, in.FinishReason = conversation.Answered, "hi", "stop"
		if got, err := turns.On(s).SettleTurn(t.Context(), in); err != nil || got.Outcome != turns.Settled {
			t.Fatalf("%+v %v", got, err)
		}
	}
	ten, twenty := int64(10), int64(20)
	settled(turns.Settlement{InputTokens: &ten, OutputTokens: &twenty, InputBytes: 30})
	settled(turns.Settlement{})
	settled(turns.Settlement{OutputTokens: &ten, InputBytes: 40})
	settled(turns.Settlement{InputTokens: &ten, OutputTokens: &ten, InputBytes: 50})
	storetest.Exec(t, s, `UPDATE turns SET model = 'other/model' WHERE number = 4`)
	got := storetest.BeginTurn(t, s, f.Key, nil)
	text := func(n *int64) string {
		if n == nil {
			return "-"
		}
		return strconv.FormatInt(*n, 10)
	}
	var counts []string
	for _, e := range got.History {
		counts = append(counts, text(e.InputTokens)+" "+text(e.OutputTokens)+" "+text(e.InputBytes))
	}
	if want := []string{"10 20 30", "- - -", "- 10 40", "- - 50"}; !slices.Equal(counts, want) {
		t.Errorf("input tokens, output tokens and input bytes of the turns: %q, want %q", counts, want)
	}
}

func TestTextIsStoredExactly(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	text := "h\u00e9 {\"a\",b} \\u0000 \u202e \uffff \x01 \x1b[31m NULL '' $1 \U0001f600 \\ \""
	storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { b.Message, b.Session = text, text })
	got := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session = text })
	if len(got.History) != 1 || got.History[0].Message != text {
		t.Errorf("got %+v, want %q", got.History, text)
	}
}

func TestRate(t *testing.T) {
	t.Parallel()
	for _, perMinute := range []int{1, 7, 140} {
		s := storetest.New(t)
		f := storetest.Seed(t, s, storetest.Options{RatePerMinute: perMinute})
		b := storetest.KeyCheck(storetest.NewBegin(f.Key))
		accepted, started := 0, time.Now()
		for {
			begun, err := turns.On(s).BeginTurn(t.Context(), b)
			if err != nil {
				t.Fatal(err)
			}
			if begun.Outcome == turns.RateLimited {
				break
			}
			accepted++
		}
		// The burst is one minute's worth, and the steady rate gives more while the loop runs.
		most := perMinute + int(time.Since(started).Seconds()*float64(perMinute)/60) + 1
		if accepted < perMinute || accepted > most {
			t.Errorf("%d a minute: accepted %d at once, want %d to %d", perMinute, accepted, perMinute, most)
		}
		b.SpendRate = false
		if begun, err := turns.On(s).BeginTurn(t.Context(), b); err != nil || begun.Outcome != turns.Admitted {
			t.Errorf("trying again without spending the rate: %s %v", begun.Outcome, err)
		}
	}
}
