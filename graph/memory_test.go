package graph_test

import (
	"runtime"
	"strings"
	"testing"

	"agentchat/internal/conversation"
	"agentchat/internal/memory"
	"agentchat/internal/store/storetest"
)

// TestTextsTakeMemory: the long texts of an answer take from the budget, are refused when too little is left, and give it back.
func TestTextsTakeMemory(t *testing.T) {
	t.Parallel()
	const length = 100_000
	budget := memory.Bytes(4 * 2 * length) // a byte of text takes four
	b := newBench(t, func(o *options) { o.graph.Memory = budget })
	u := signedIn(t, b)
	a := storetest.SeedAgent(t, b.store, u.account.ID, storetest.Options{})
	for _, label := range []string{"first", "second"} {
		u.settle(t, u.begin(t, a.ID, nil, label, strings.Repeat("m", length)).Turn, conversation.Failed)
	}
	const texts, ids = `{ viewer { conversations { nodes { turns { nodes { message } } } } } }`,
		`{ viewer { conversations { nodes { turns { nodes { id } } } } } }`
	allFree := func() { // an answer arrives before its request has ended
		for {
			giveBack, ok := budget.TryTake(budget.Size())
			giveBack()
			if ok || t.Context().Err() != nil {
				return
			}
			runtime.Gosched()
		}
	}
	for range 2 {
		allFree()
		if got := u.do(t, texts, nil); len(got.Errors) > 0 {
			t.Errorf("with exactly enough: %.300s", got.body)
		}
	}
	allFree()
	taken, _ := budget.TryTake(1)
	if got := u.do(t, texts, nil); got.code() != "UNAVAILABLE" || got.status != 503 {
		t.Errorf("with one byte too little: %.300s", got.body)
	}
	if got := u.do(t, ids, nil); len(got.Errors) > 0 {
		t.Errorf("without texts: %.300s", got.body)
	}
	taken()
	if got := u.do(t, texts, nil); len(got.Errors) > 0 {
		t.Errorf("with exactly enough again: %.300s", got.body)
	}
}
