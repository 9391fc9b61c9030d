package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestKnowledgeOverTwoReplicas changes what two agents know over two replicas, while both are asked: of one the model gets all, of the other
// what a search finds. No reply has a text that its version does not have, or one that was deleted before its message began; and none misses
// what its version has. Once all texts are deleted and all who asked are erased, nothing of the texts is left.
func TestKnowledgeOverTwoReplicas(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	seed := rand.Uint64()
	t.Log("seed", seed)
	p, c := newPair(t, "STARTING_CREDITS=1000000", "TRUSTED_PROXIES=127.0.0.1/32"), client(t)
	auditing(t, p.store)
	owner := newBrowser(t, "X-Forwarded-For", "10.6.0.1")
	owner.signedUp(p.replicas[0], uuid.NewString()+"@example.com", ownersPassword)
	mark := "mk" + strings.ReplaceAll(uuid.NewString(), "-", "")
	small, large := newLibrary(t, p, owner, mark+"s", true), newLibrary(t, p, owner, mark+"l", false)
	const chatters = 8
	var work sync.WaitGroup
	end := time.Now().Add(30 * time.Second)
	until := func(part uint64, do func(*rand.Rand)) {
		random := rand.New(rand.NewPCG(seed, part))
		work.Go(func() {
			for time.Now().Before(end) {
				do(random)
			}
		})
	}
	for i, l := range []*library{small, large} {
		until(uint64(i), l.change)
		for n := range chatters {
			until(uint64(10+chatters*i+n), func(random *rand.Rand) { l.chat(c, random) })
		}
	}
	eraser := newBrowser(t)
	eraser.Token = owner.Token
	until(100, func(random *rand.Rand) { erase(eraser, p, random) })
	work.Wait()
	for _, l := range []*library{small, large} {
		t.Logf("%d texts, %d of them deleted, %d versions, %d pins, replies %v", len(l.texts), len(l.gone()), l.published, len(l.pins), l.replies)
		for _, what := range []string{"200", "given", "cited", "pinned"} {
			if l.replies[what] < 20 {
				t.Errorf("only %d are %s", l.replies[what], what)
			}
		}
		l.deleteAll()
	}
	for user := range readers {
		owner.must(p.replicas[0], deleteEndUser, map[string]any{"userId": reader(user)})
	}
	eventually(t, "nothing of the texts is left", func() bool { return len(storetest.Traces(t, p.store, mark)) == 0 })
	for i, r := range p.replicas {
		if strings.Contains(r.log.String(), mark) {
			t.Errorf("the log of replica %d has a text", i)
		}
	}
	storetest.Audit(t, p.store)
}

// readers is how many end users there are.
const readers = 6

func reader(n int) string { return fmt.Sprint("reader ", n) }

// erase erases an end user, or deletes one of its conversations.
func erase(b *browser, p *pair, random *rand.Rand) {
	r, user := p.replicas[random.IntN(2)], reader(random.IntN(readers))
	if random.IntN(10) == 0 {
		b.must(r, deleteEndUser, map[string]any{"userId": user})
		return
	}
	var viewer struct {
		Conversations struct{ Nodes []struct{ ID string } }
	}
	b.must(r, fmt.Sprintf(`{ viewer { conversations(first: 5, filter: {userId: %q}) { nodes { id } } } }`, user), nil).into(b.t, "viewer", &viewer)
	for _, c := range viewer.Conversations.Nodes {
		got, err := b.do(r, `mutation($input: DeleteConversationInput!) { deleteConversation(input: $input) { deletedConversationId } }`, map[string]any{"id": c.ID})
		if err != nil || got.code() != "ok" && got.code() != "NOT_FOUND" {
			b.t.Errorf("deleting a conversation: %v %s", err, got.Raw)
		}
	}
}

// chat sends a message about one of the texts, half of the time for the list of what the model was given, and checks the reply.
func (l *library) chat(c *http.Client, random *rand.Rand) {
	l.mu.Lock()
	asked, floor, pin, gone := random.IntN(len(l.texts)+1), l.published, l.pinned, l.gone()
	l.mu.Unlock()
	message, user, key := fmt.Sprintf("Where is shelf%d?", asked), reader(random.IntN(readers)), l.live
	listed, toPinned := random.IntN(2) == 0, random.IntN(4) == 0
	if listed {
		message = "[[sandbox knowledge]] " + message
	}
	if toPinned {
		key = l.pinnedKey
	}
	body := map[string]any{"message": message, "user_id": user}
	if random.IntN(2) == 0 {
		body["session_id"] = fmt.Sprint(l.agent, user, random.IntN(3))
	}
	got, err := askWith(l.t.Context(), c, l.pair.chat(random.IntN(2)), key, body)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.replies[got.outcome()]++
	if outcome := got.outcome(); err != nil || outcome != "200" {
		if outcome != "conversation_deleted" {
			l.t.Errorf("a message: %s %v", got.Body, err)
		}
		return
	}
	said := l.numbersIn(got.Reply)
	complain := func(what string) {
		l.t.Errorf("version %d has %v, asked for %d, %s: %.300s", got.Version, l.versions[got.Version], asked, what, got.Reply)
	}
	for _, n := range said {
		if !slices.Contains(l.versions[got.Version], n) {
			complain(fmt.Sprintf("it has no %d", n))
		}
		if slices.Contains(gone, n) {
			complain(fmt.Sprintf("%d was deleted before", n))
		}
	}
	for _, n := range l.versions[got.Version] {
		if (listed && l.whole || n == asked) && !l.texts[n].going && !slices.Contains(said, n) {
			complain(fmt.Sprintf("%d is missing", n))
		}
	}
	switch {
	case toPinned && !slices.Contains(l.pins[pin:], got.Version):
		complain(fmt.Sprint("it is pinned to ", l.pins[pin:]))
	case !toPinned && got.Version < floor:
		complain(fmt.Sprint("it began after version ", floor))
	case toPinned:
		l.replies["pinned"]++
	}
	if what := map[bool]string{true: "given", false: "cited"}[listed]; len(said) > 0 {
		l.replies[what]++
	}
}
