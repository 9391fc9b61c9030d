package e2e_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const (
	addText       = `mutation($input: AddKnowledgeTextInput!) { addKnowledgeText(input: $input) { source { id } } }`
	replaceSource = `mutation($input: ReplaceKnowledgeSourceInput!) { replaceKnowledgeSource(input: $input) { source { id } } }`
	removeSource  = `mutation($input: RemoveKnowledgeSourceInput!) { removeKnowledgeSource(input: $input) { agent { id } } }`
	deleteSource  = `mutation($input: DeleteKnowledgeSourceInput!) { deleteKnowledgeSource(input: $input) { deletedKnowledgeSourceId } }`
	deleteUnused  = `mutation($input: DeleteUnusedKnowledgeInput!) { deleteUnusedKnowledge(input: $input) { deleted } }`
	restore       = `mutation($input: RestoreAgentVersionInput!) { restoreAgentVersion(input: $input) { agent { id } } }`
)

// mostInDraft is how many texts the draft has at most: few enough to be given whole.
const mostInDraft = 8

// library is an agent whose knowledge changes, and what its draft and its versions have of it. One goroutine changes it, others ask.
type library struct {
	t               *testing.T
	pair            *pair
	owner           *browser
	agent, export   string
	live, pinnedKey string
	// mark and a number, from 0, are in each text and in no other one.
	mark    string
	pattern *regexp.Regexp
	// whole says that the model gets all of it. Otherwise there is a text that is too long for that, from the version first on.
	whole bool
	first int

	mu       sync.Mutex
	texts    []*shelved
	draft    []int
	versions map[int][]int // also of one that is about to be published
	// published is the newest version that is published for certain. The export is pinned to pins[pinned], or to a later one.
	published, pinned int
	pins              []int
	replies           map[string]int
}

// shelved is a text. It is going once its deletion has begun, and gone when that has ended.
type shelved struct {
	id          string
	going, gone bool
}

func newLibrary(t *testing.T, p *pair, owner *browser, mark string, whole bool) *library {
	t.Helper()
	mine := newBrowser(t)
	mine.Token = owner.Token
	made := makeExport(t, mine, p.replicas[0])
	l := &library{t: t, pair: p, owner: mine, agent: made.agent, live: made.key, mark: mark, whole: whole, first: 1,
		pattern: regexp.MustCompile(mark + `([0-9]+)z`), versions: map[int][]int{1: {}}, published: 1, pins: []int{1}, replies: map[string]int{}}
	var export struct {
		APIKey string
		Export struct{ ID string }
	}
	mine.must(p.replicas[0], createExport, map[string]any{"agentId": l.agent, "name": "Pinned"}).into(t, "createApiExport", &export)
	l.export, l.pinnedKey = export.Export.ID, export.APIKey
	mine.must(p.replicas[0], setLimits, map[string]any{"id": l.export, "rateLimitPerMinute": 1_000_000, "version": 1})
	mine.must(p.replicas[0], setLimits, map[string]any{"id": made.export, "rateLimitPerMinute": 1_000_000})
	if !l.whole {
		mine.must(p.replicas[0], addText, map[string]any{"agentId": l.agent, "name": "stock " + mark,
			"text": strings.Repeat("Nobody asks for what is said here.\n\n", 1_500)})
		mine.must(p.replicas[0], publishDraft, map[string]any{"id": l.agent})
		l.versions[2], l.published, l.first = []int{}, 2, 2
	}
	return l
}

// numbersIn returns the numbers of the texts of which something is in a reply.
func (l *library) numbersIn(reply string) (numbers []int) {
	for _, m := range l.pattern.FindAllStringSubmatch(reply, -1) {
		n, _ := strconv.Atoi(m[1])
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// gone returns the numbers of the texts that are gone for certain.
func (l *library) gone() (numbers []int) {
	for n, x := range l.texts {
		if x.gone {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// change makes one change over one of the replicas. What a reply may have, or lack, before the change has ended is noted before it begins.
func (l *library) change(random *rand.Rand) {
	r := l.pair.replicas[random.IntN(2)]
	do := func(query string, input map[string]any) panelAnswer { return l.owner.must(r, query, input) }
	next, one := len(l.texts), -1
	if len(l.draft) > 0 {
		one = l.draft[random.IntN(len(l.draft))]
	}
	text := map[string]any{"name": fmt.Sprintf("%s%dz", l.mark, next), "text": fmt.Sprintf("The shelf%d has %s%dz.\n\n%s", next, l.mark, next,
		strings.Repeat("Each shelf is as good as any other. ", 40))}
	switch what := random.IntN(12); {
	case what < 3 && len(l.draft) < mostInDraft:
		text["agentId"] = l.agent
		l.keep(next, sourceOf(l.t, do(addText, text), "addKnowledgeText"), -1)
	case what < 5 && one >= 0:
		text["id"] = l.texts[one].id
		l.keep(next, sourceOf(l.t, do(replaceSource, text), "replaceKnowledgeSource"), one)
	case what == 5 && one >= 0:
		do(removeSource, map[string]any{"id": l.texts[one].id})
		l.locked(func() { l.leave(one) })
	case what == 6:
		l.deleteOne(do, random)
	case what == 7:
		n := l.first + random.IntN(l.published-l.first+1)
		do(restore, map[string]any{"id": l.agent, "number": n, "removeKnowledge": true})
		l.locked(func() {
			l.draft = slices.DeleteFunc(slices.Clone(l.versions[n]), func(n int) bool { return l.texts[n].gone })
			l.forget()
		})
	case what == 8:
		n := 1 + random.IntN(l.published)
		l.locked(func() { l.pins = append(l.pins, n) })
		do(setLimits, map[string]any{"id": l.export, "version": n})
		l.locked(func() { l.pinned = len(l.pins) - 1 })
	case what == 9:
		l.deleteUnused(do)
	default:
		l.publish(do)
	}
}

// locked does something to what chats read, too.
func (l *library) locked(do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	do()
}

// sourceOf is the ID of the source of an answer.
func sourceOf(t *testing.T, got panelAnswer, field string) string {
	t.Helper()
	var made struct{ Source struct{ ID string } }
	got.into(t, field, &made)
	return made.Source.ID
}

// keep notes a new text of the draft, in place of another one if that is not negative.
func (l *library) keep(n int, id string, instead int) {
	l.locked(func() {
		l.texts = append(l.texts, &shelved{id: id})
		l.draft = append(l.draft, n)
		l.leave(instead)
	})
}

// leave notes that the draft has a text no longer.
func (l *library) leave(n int) {
	l.draft = slices.DeleteFunc(slices.Clone(l.draft), func(other int) bool { return other == n })
	l.forget()
}

// forget notes that texts are gone that nothing has.
func (l *library) forget() {
	for n, x := range l.texts {
		if !slices.Contains(l.draft, n) && !slices.ContainsFunc(slices.Collect(maps.Values(l.versions)), func(v []int) bool { return slices.Contains(v, n) }) {
			x.going, x.gone = true, true
		}
	}
}

// deleteOne deletes a text for good that a version or the draft has.
func (l *library) deleteOne(do func(string, map[string]any) panelAnswer, random *rand.Rand) {
	var there []int
	for n, x := range l.texts {
		if !x.gone {
			there = append(there, n)
		}
	}
	if len(there) == 0 {
		return
	}
	n := there[random.IntN(len(there))]
	l.locked(func() { l.texts[n].going = true })
	do(deleteSource, map[string]any{"id": l.texts[n].id})
	l.locked(func() {
		l.texts[n].gone = true
		l.leave(n)
	})
}

// deleteUnused deletes what neither the draft, nor the published version, nor the pinned one has.
func (l *library) deleteUnused(do func(string, map[string]any) panelAnswer) {
	var unused []*shelved
	for n, x := range l.texts {
		if !x.gone && !slices.Contains(slices.Concat(l.draft, l.versions[l.published], l.versions[l.pins[l.pinned]]), n) {
			unused = append(unused, x)
		}
	}
	l.locked(func() {
		for _, x := range unused {
			x.going = true
		}
	})
	var got struct{ Deleted int }
	do(deleteUnused, map[string]any{"agentId": l.agent}).into(l.t, "deleteUnusedKnowledge", &got)
	l.locked(func() {
		for _, x := range unused {
			x.gone = true
		}
	})
	if got.Deleted != len(unused) {
		l.t.Errorf("%d were deleted that only old versions had, want %d", got.Deleted, len(unused))
	}
}

// publish publishes the draft, if that is a change.
func (l *library) publish(do func(string, map[string]any) panelAnswer) {
	next := l.published + 1
	l.locked(func() { l.versions[next] = l.draft })
	var made struct{ Version struct{ Number int } }
	do(publishDraft, map[string]any{"id": l.agent}).into(l.t, "publishAgent", &made)
	l.locked(func() {
		if made.Version.Number != next {
			delete(l.versions, next)
		}
		l.published = made.Version.Number
	})
}

// deleteAll deletes every source for good: there are at most 200.
func (l *library) deleteAll() {
	for range 2 {
		var agent struct {
			Knowledge struct{ Nodes []struct{ ID string } }
		}
		l.owner.must(l.pair.replicas[0], fmt.Sprintf(`{ agent(id: %q) { knowledge(first: 100) { nodes { id } } } }`, l.agent), nil).into(l.t, "agent", &agent)
		for _, source := range agent.Knowledge.Nodes {
			l.owner.must(l.pair.replicas[1], deleteSource, map[string]any{"id": source.ID})
		}
	}
}
