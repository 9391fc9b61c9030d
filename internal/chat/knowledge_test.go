package chat_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/sandbox"
	"agentchat/internal/store"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
)

// returnsText and hoursText are what the tests' agents know.
const (
	returnsText = "# Refunds\n\nRefunds take 30 days."
	hoursText   = "We open at nine."
)

// learn adds texts to an agent's draft, with the first line as the name of each, and publishes it.
func learn(t testing.TB, s *store.DB, f storetest.Fixture, texts ...string) (added []knowledge.Source) {
	t.Helper()
	for _, text := range texts {
		name, _, _ := strings.Cut(text, "\n")
		added = append(added,
			storetest.Learn(t, s, f.Agent, storetest.KnowledgeText(name[:min(len(name), 20)], text)))
	}
	storetest.Publish(t, s, f.Agent)
	return added
}

func forget(t testing.TB, s *store.DB, f storetest.Fixture, source knowledge.Source) {
	t.Helper()
	if _, err := sources.On(s).DeleteKnowledge(t.Context(), f.Account.ID, source.ID); err != nil {
		t.Error(err)
	}
}

// knowing is a service with a model, whose agent knows the texts.
func knowing(t *testing.T, o storetest.Options, texts []string, answers ...answer) (*setup, storetest.Fixture, *scripted) {
	t.Helper()
	m := script(answers...)
	b := newSetup(t, 1, offering(m))
	o.Model = testModel
	f := storetest.Seed(t, b.store, o)
	learn(t, b.store, f, texts...)
	return b, f, m
}

// library is too much to be given whole: texts about one word each, in sentences that are alike.
func library(words ...string) (texts []string) {
	for _, word := range words {
		texts = append(texts,
			word+"\n\n"+strings.Repeat("All you need to read about "+word+" is in these lines. ", 30))
	}
	for i := range 25 {
		texts = append(texts,
			fmt.Sprintf("filler%d\n\n%s", i,
				strings.Repeat("Nothing that anybody asks for is in this text. ", 25)))
	}
	return texts
}

// TestKnowledgeGoesToTheModel tests that few texts are given whole, the same each time, in front of
// the oldest text of the conversation. They are not stored with the message.
func TestKnowledgeGoesToTheModel(t *testing.T) {
	t.Parallel()
	b, f, m := knowing(t, storetest.Options{}, []string{hoursText, returnsText}, says("Hi."))
	for _, text := range []string{"Hello", "About shipping?"} {
		send(t, b.replicas[0], newMessage(f, "s", text))
		if k := m.last().Knowledge; !k.First || k.Block != m.asked[0].Knowledge.Block ||
			m.last().Message != text ||
			!strings.Contains(k.Block, "[1] We open at nine.\n"+hoursText) ||
			!strings.Contains(k.Block, "[2] # Refunds | Refunds\n") {
			t.Errorf("%q: %+v", text, k)
		}
	}
	if h := m.last().History; len(h) != 1 || h[0].User != "Hello" {
		t.Errorf("after %+v", h)
	}
}

// TestFollowUps tests that the best of many texts are given, and that a message that names nothing
// finds what the message before it was about.
func TestFollowUps(t *testing.T) {
	t.Parallel()
	b, f, m := knowing(t, storetest.Options{}, library("refunds", "shipping"), says("Hi."))
	for _, text := range []string{"Tell me about refunds", "How long does it take?"} {
		send(t, b.replicas[0], newMessage(f, "s", text))
		if k := m.last().Knowledge; k.First || len(k.Passages) == 0 || len(k.Passages) > knowledge.MaxGiven ||
			k.Passages[0].Name != "refunds" || !strings.Contains(k.Block, "read about refunds is in") {
			t.Errorf("%q: %+v", text, k.Passages)
		}
	}
	send(t, b.replicas[0], newMessage(f, "other", "zzz"))
	if k := m.last().Knowledge; k == nil || k.Block != "" || len(k.Passages) > 0 {
		t.Errorf("nothing found: %+v", k)
	}
}

// TestNoReplyWithoutKnowledge tests that a message is refused as unavailable if the knowledge
// cannot be read. It leaves nothing, and no model is asked. An agent without knowledge does not
// notice.
func TestNoReplyWithoutKnowledge(t *testing.T) {
	t.Parallel()
	b, f, m := knowing(t, storetest.Options{}, []string{returnsText}, says("Hi."))
	plain := storetest.Seed(t, b.store, storetest.Options{})
	storetest.Exec(t, b.store, `ALTER TABLE knowledge_passages RENAME TO away`)
	b.leavesNothing(t, "knowledge", f, newMessage(f, "s", "When?"), fault.Unavailable)
	if len(m.asked) != 0 {
		t.Errorf("%d calls", len(m.asked))
	}
	send(t, b.replicas[0], newMessage(plain, "s", "Hello"))
	storetest.Exec(t, b.store, `ALTER TABLE away RENAME TO knowledge_passages`)
	send(t, b.replicas[0], newMessage(f, "s", "When?"))
}

// TestChainsKeepTheirPassages tests that results are answered with the passages of their message
// and the same numbers, without those deleted since. Nothing is searched again.
func TestChainsKeepTheirPassages(t *testing.T) {
	t.Parallel()
	b, f, m := knowing(t, storetest.Options{Actions: desk}, nil, waits(1), waits(1),
		says("30 days [2], at nine [1]."))
	known := learn(t, b.store, f, hoursText, returnsText)
	asked := send(t, b.replicas[0], newMessage(f, "s", "When?"))
	learn(t, b.store, f, "Shipping takes a week.")
	asked = send(t, b.replicas[0], bring(f, "s", asked, `1`))
	if first, then := m.asked[0].Knowledge, m.asked[1].Knowledge; first.Block != then.Block ||
		!then.First {
		t.Errorf("%+v after %+v", then, first)
	}
	forget(t, b.store, f, known[0])
	done := send(t, b.replicas[0], bring(f, "s", asked, `2`))
	if k := m.asked[2].Knowledge; len(k.Passages) != 1 || k.Passages[0].N != 2 ||
		strings.Contains(k.Block, "[1] ") || numbersOf(done.Sources) != "2 # Refunds" {
		t.Errorf("after a deletion: %+v, %v", k, done.Sources)
	}
}

// TestKnowledgeOfTheFallback tests that it gets the passages that the first model got, in the mode
// of the smaller window.
func TestKnowledgeOfTheFallback(t *testing.T) {
	t.Parallel()
	first := script(fails(fault.New(fault.ModelUnavailable, "")))
	b := newWithFallback(t, first) // windows of 100,000 and 8,000 tokens: up to 6,000 bytes are given whole
	b.second.answers = []answer{says("At nine [1].")}
	for filler, whole := range map[int]bool{5_000: true, 7_000: false} {
		f := b.agent(t, storetest.Options{})
		learn(t, b.store, f, hoursText, strings.Repeat("Nothing else. ", filler/14))
		got := send(t, b.replicas[0], newMessage(f, "s", "When do you open?"))
		one, two := first.last().Knowledge, b.second.last().Knowledge
		if one.Block != two.Block || one.First != whole || two.First != whole ||
			numbersOf(got.Sources) != "1 We open at nine." {
			t.Errorf("%d bytes: whole %t and %t, %v", filler, one.First, two.First, got.Sources)
		}
	}
}

// TestCreditsWithKnowledge tests that a version with knowledge has the model's price for it, the
// fallback model's too, and that the higher one is held. Without knowledge, and for a model without
// such a price, nothing changes.
func TestCreditsWithKnowledge(t *testing.T) {
	t.Parallel()
	model := catalogue.Entry{ContextWindow: 9_000, Sandbox: true, Model: sandbox.New()}
	first, second := model, model
	first.Name, first.CreditsPerMessage, first.CreditsWithKnowledge = "test/first", 2, new(int64(4))
	second.Name, second.CreditsPerMessage, second.CreditsWithKnowledge = "test/second", 3, new(int64(9))
	b := newSetup(t, 1, func(c *chat.Config) { c.Catalogue = sandboxOnly(first, second) })
	options := storetest.Options{Model: "test/first", FallbackModel: "test/second", Credits: 20}
	plain, f := storetest.Seed(t, b.store, options), storetest.Seed(t, b.store, options)
	same := storetest.Seed(t, b.store, storetest.Options{Credits: 20})
	known := learn(t, b.store, f, returnsText)
	learn(t, b.store, same, returnsText)
	for _, c := range []struct {
		f           storetest.Fixture
		message     string
		price, left int64
	}{
		{plain, "Hello", 2, 18},
		{plain, "[[sandbox fail=error first]]", 3, 15},
		{same, "Hello", 1, 19},
		{f, "Hello", 4, 16},
		{f, "[[sandbox fail=error first]]", 9, 7},
	} {
		if got := send(t, b.replicas[0], newMessage(c.f, "s", c.message)); got.Credits != c.price ||
			got.CreditsRemaining != c.left {
			t.Errorf("%q: %+v", c.message, got)
		}
		wantCredits(t, b.store, c.f, c.left)
	}
	// Seven are left: enough for the first model, not for what is held.
	wantFault(t, b.replicas[0], newMessage(f, "s", "Hello"), fault.InsufficientCredits)
	forget(t, b.store, f, known[0])
	if got := send(t, b.replicas[0], newMessage(f, "s", "Hello")); got.Credits != 2 || got.Sources != nil {
		t.Errorf("without a source left: %+v", got)
	}
}

// numbersOf are the numbers and names of sources.
func numbersOf(cited []conversation.GivenPassage) string {
	var out []string
	for _, s := range cited {
		out = append(out, fmt.Sprint(s.N, " ", s.Name))
	}
	return strings.Join(out, ", ")
}

// TestRepliesHaveTheirSources tests that a reply has what it cites, each once and in the order of
// citation, without numbers that name nothing. Sources that are deleted meanwhile stay the reply's.
// Without knowledge there is no list.
func TestRepliesHaveTheirSources(t *testing.T) {
	t.Parallel()
	b, f, m := knowing(t, storetest.Options{}, nil)
	known := learn(t, b.store, f, hoursText, returnsText)
	for _, c := range []struct{ reply, want string }{
		{"30 days [2], at nine [1], or so [2].", "2 # Refunds, 1 We open at nine."},
		{"Perhaps [7] or [0].", ""},
		{"Meanwhile [1].", "1 We open at nine."},
		{"At nine [1].", "1 # Refunds"},
	} {
		m.answers = []answer{func(ctx context.Context) (llm.Reply, error) {
			if strings.HasPrefix(c.reply, "Meanwhile") {
				forget(t, b.store, f, known[0])
			}
			return says(c.reply)(ctx)
		}}
		got := send(t, b.replicas[0], newMessage(f, "s", "When?"))
		if cited := numbersOf(got.Sources); got.Sources == nil || cited != c.want || got.Reply != c.reply {
			t.Errorf("%q: %q, want %q", c.reply, cited, c.want)
		}
	}
	plain := storetest.Seed(t, b.store, storetest.Options{Model: testModel})
	if got := send(t, b.replicas[0], newMessage(plain, "s", "When?")); got.Sources != nil ||
		m.last().Knowledge != nil {
		t.Errorf("an agent without knowledge: %+v", got)
	}
}

// TestSourcesUnderASchema tests that nothing can be cited, so all that the model was given are
// listed, and it is not asked to cite. The second attempt gets the same.
func TestSourcesUnderASchema(t *testing.T) {
	t.Parallel()
	b, f, m := knowing(t, storetest.Options{ReplySchema: orderSchema}, []string{hoursText, returnsText},
		says(`{"note":"[2]","count":0}`), says(`{"note":"[2]","count":1}`))
	got := send(t, b.replicas[0], newMessage(f, "s", "When?"))
	if cited := numbersOf(got.Sources); cited != "1 We open at nine., 2 # Refunds" ||
		!got.Structured || len(m.asked) != 2 {
		t.Errorf("%q after %d calls", cited, len(m.asked))
	}
	for i, asked := range m.asked {
		if asked.Knowledge == nil || strings.Contains(asked.Knowledge.Block, "cite") ||
			asked.Knowledge.Block != m.asked[0].Knowledge.Block {
			t.Errorf("call %d: %+v", i, asked.Knowledge)
		}
	}
}
