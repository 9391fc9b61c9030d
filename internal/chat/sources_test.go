package chat_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/knowledge"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
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
		source, err := sources.On(s).AddKnowledge(t.Context(), f.Account.ID, f.Agent.ID,
			sources.NewKnowledge{Kind: knowledge.Text, Name: name[:min(len(name), 20)],
				Text: text, Size: int64(len(text)), Passages: knowledge.Passages(text, false)})
		if err != nil {
			t.Fatal(err)
		}
		added = append(added, source)
	}
	storetest.Publish(t, s, f.Agent)
	return added
}

// knowing is a service with a model, whose agent knows the texts.
func knowing(t *testing.T, o storetest.Options, texts []string, answers ...func(context.Context) (llm.Reply, error)) (*setup, storetest.Fixture, *scripted) {
	t.Helper()
	m := &scripted{answers: answers}
	b := newSetup(t, 1, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/scripted", CreditsPerMessage: 1, Model: m,
			ContextWindow: 100_000})
	})
	o.Model = "test/scripted"
	f := storetest.Seed(t, b.store, o)
	learn(t, b.store, f, texts...)
	return b, f, m
}

// numbersOf are the numbers and names of sources.
func numbersOf(cited []conversation.GivenPassage) string {
	var out []string
	for _, s := range cited {
		out = append(out, fmt.Sprint(s.N, " ", s.Name))
	}
	return strings.Join(out, ", ")
}

// TestRepliesHaveTheirSources: what a reply cites, each once and in the order of citation, without
// numbers that name nothing; none if it cites none, and no list at all without knowledge.
func TestRepliesHaveTheirSources(t *testing.T) {
	t.Parallel()
	b, f, m := knowing(t, storetest.Options{}, []string{hoursText, returnsText})
	for reply, want := range map[string]string{
		"At nine [1].": "1 We open at nine.", "30 days [2], at nine [1], or so [2].": "2 # Refunds, 1 We open at nine.", "Hello.": "",
		"Perhaps [7] or [0].": "", "In code `a[1]`.": "", "Both [1-2] and [9].": "1 We open at nine., 2 # Refunds",
	} {
		m.answers = []func(context.Context) (llm.Reply, error){says(reply)}
		answer := send(t, b.replicas[0], newMessage(f, uuid.NewString(), "When?"))
		if got := numbersOf(answer.Sources); answer.Sources == nil || got != want || answer.Reply != reply {
			t.Errorf("%q: %q, want %q", reply, got, want)
		}
	}
	m.answers = []func(context.Context) (llm.Reply, error){says("At nine [1].")}
	if s := send(t, b.replicas[0], newMessage(f, "s", "When?")).Sources; len(s) != 1 ||
		s[0].Heading != "" || s[0].SourceID == uuid.Nil {
		t.Errorf("%+v", s)
	}
	plain := storetest.Seed(t, b.store, storetest.Options{Model: "test/scripted"})
	if answer := send(t, b.replicas[0], newMessage(plain, "s", "When?")); answer.Sources != nil ||
		m.asked[len(m.asked)-1].Knowledge != nil {
		t.Errorf("an agent without knowledge: %+v", answer)
	}
	storetest.Audit(t, b.store)
}

// TestSourcesUnderASchema: nothing can be cited, so all that the model was given are listed, and it
// is not asked to cite.
func TestSourcesUnderASchema(t *testing.T) {
	t.Parallel()
	b, f, m := knowing(t, storetest.Options{ReplySchema: orderSchema},
		[]string{hoursText, returnsText}, says(`{"note":"[2]","count":0}`),
		says(`{"note":"[2]","count":1}`))
	answer := send(t, b.replicas[0], newMessage(f, "s", "When?"))
	if got := numbersOf(answer.Sources); got != "1 We open at nine., 2 # Refunds" || !answer.Structured {
		t.Errorf("%q", got)
	}
	for i, asked := range m.asked { // the second attempt gets the same
		if asked.Knowledge == nil || strings.Contains(asked.Knowledge.Block, "cite") ||
			asked.Knowledge.Block != m.asked[0].Knowledge.Block {
			t.Errorf("call %d: %+v", i, asked.Knowledge)
		}
	}
	if len(m.asked) != 2 {
		t.Errorf("%d calls", len(m.asked))
	}
}

// TestSourcesAreStored: a replay has the same ones, also after their source was deleted, and says
// what it said.
func TestSourcesAreStored(t *testing.T) {
	t.Parallel()
	m := &scripted{answers: []func(context.Context) (llm.Reply, error){says("30 days [2].")}}
	b := newSetup(t, 2, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/scripted", CreditsPerMessage: 1, Model: m,
			ContextWindow: 100_000})
	})
	f := storetest.Seed(t, b.store, storetest.Options{Model: "test/scripted"})
	sourceList := learn(t, b.store, f, hoursText, returnsText)
	msg := newMessage(f, "s", "When?")
	msg.IdempotencyKey = uuid.NewString()
	first := send(t, b.replicas[0], msg)
	for i := range 2 {
		again := send(t, b.replicas[1], msg)
		if !again.Replayed || again.Reply != first.Reply ||
			fmt.Sprint(again.Sources) != fmt.Sprint(first.Sources) || len(again.Sources) != 1 ||
			again.Sources[0].SourceID != sourceList[1].ID || again.Sources[0].Heading != "Refunds" {
			t.Errorf("%+v after %+v", again, first)
		}
		if i == 0 {
			if _, err := sources.On(b.store).DeleteKnowledge(t.Context(), f.Account.ID, sourceList[1].ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	var texts int
	if err := b.store.SQL().QueryRowContext(t.Context(),
		`SELECT count(*) FROM turns WHERE knowledge LIKE '%Refunds take%' OR message LIKE '%===%'`).
		Scan(&texts); err != nil || texts > 0 {
		t.Errorf("%d turns have the passages' text, %v", texts, err)
	}
	storetest.Audit(t, b.store)
}

// TestOldCitationsAreTakenOut tests that earlier replies have no citations in a prompt, whose
// passages have other numbers. Stored replies keep them, and so does a chain, whose passages stay
// the same.
func TestOldCitationsAreTakenOut(t *testing.T) {
	t.Parallel()
	b, f, m := knowing(t, storetest.Options{Actions: desk}, []string{returnsText},
		says("30 days [1], see `a[1]`."),
		asksFor("Look [1].", llm.FinishStop, "wait", "{}"), says("Done [1]."))
	first := send(t, b.replicas[0], newMessage(f, "s", "When?"))
	asked := send(t, b.replicas[0], newMessage(f, "s", "And now?"))
	done := send(t, b.replicas[0], bring(f, "s", asked, `1`))
	if got := m.asked[1].WithKnowledge().History[0].Assistant; got != "30 days, see `a[1]`." {
		t.Errorf("the model was sent %q", got)
	}
	if got := m.asked[2].WithKnowledge(); got.Steps[0].Text != "Look [1]." || len(got.History) != 1 ||
		strings.Contains(got.History[0].Assistant, "days [1]") {
		t.Errorf("the chain: %+v", got)
	}
	if _, _, reply := replyOf(t, b.store, first.MessageID); reply != first.Reply ||
		len(asked.Sources) != 1 || len(done.Sources) != 1 {
		t.Errorf("stored %q; sources %v and %v", reply, asked.Sources, done.Sources)
	}
}

// TestSourceDeletedMeanwhile: what the model was given before a deletion is the reply's all the
// same; the next message is not given it.
func TestSourceDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	model := noting{called: make(chan struct{}), open: make(chan struct{})}
	b := newSetup(t, 2, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/noting", CreditsPerMessage: 1, Model: citing{model}})
	})
	f := storetest.Seed(t, b.store, storetest.Options{Model: "test/noting"})
	sourceList := learn(t, b.store, f, returnsText, hoursText)
	sends := func(text string) <-chan *chat.Answer {
		done := make(chan *chat.Answer, 1)
		go func() {
			got, err := b.replicas[0].Send(context.WithoutCancel(t.Context()), newMessage(f, "s", text))
			if err != nil {
				t.Error(err)
			}
			done <- got.Answer
		}()
		<-model.called
		return done
	}
	done := sends("When?")
	if _, err := sources.On(b.stores[1]).DeleteKnowledge(t.Context(), f.Account.ID, sourceList[0].ID); err != nil {
		t.Fatal(err)
	}
	model.open <- struct{}{}
	if got := <-done; got == nil || numbersOf(got.Sources) != "1 # Refunds" {
		t.Errorf("%+v", got)
	}
	done = sends("And now?")
	model.open <- struct{}{}
	if got := <-done; got == nil || numbersOf(got.Sources) != "1 We open at nine." {
		t.Errorf("%+v", got)
	}
	storetest.Audit(t, b.store)
}

// citing is noting that cites the first passage.
type citing struct{ noting }

func (m citing) Generate(ctx context.Context, req llm.Request, emit func(string) error) (llm.Reply, error) {
	reply, err := m.noting.Generate(ctx, req, nil)
	reply.Text = "So it is [1]."
	return reply, err
}
