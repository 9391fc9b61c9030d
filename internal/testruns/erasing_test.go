package testruns_test

import (
	"context"
	"testing"
	"time"

	"agentchat/internal/chat"
	"agentchat/internal/evaluation"
	"agentchat/internal/llm"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/tests"
	"agentchat/internal/testlong"
)

// TestErasedInTime deletes an end user whose message became a test case that a run has sent and judged. The
// background work, at its real intervals, removes all texts within ten seconds, but not the results. A kept
// case stays, with its texts.
func TestErasedInTime(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	const marker = "Zanzibar"
	b := newBench(t, func(_ context.Context, req llm.Request) (string, error) {
		if req.Schema == "" {
			return "You said: " + req.Message, nil
		}
		return `{"passed": true, "reason": "It repeats ` + marker + `"}`, nil
	}, storetest.Options{Credits: 100})
	b.addJudge(t)
	background, stop := context.WithCancel(t.Context())
	stopped := make(chan struct{})
	go func() { _ = b.chats.Run(background); close(stopped) }()
	defer func() { stop(); <-stopped }()
	work(t, b.worker)
	sent, err := b.chats.Send(t.Context(), chat.Message{Key: b.seeded.Key.Hash(), Text: marker, UserID: new("ada"), RequestID: "r"})
	if err != nil {
		t.Fatal(err)
	}
	turn := &sent.Answer.MessageID
	judged := &evaluation.Case{Name: "Judged", Enabled: true, Message: marker,
		Checks: []evaluation.Check{{Type: evaluation.Judge, Criterion: "Repeats " + marker}}}
	account, own := b.seeded.Account.ID, tests.On(b.DB)
	if _, err := own.CreateCase(t.Context(), account, b.seeded.Agent.ID, judged, turn, nil); err != nil {
		t.Fatal(err)
	}
	kept, err := own.CreateCase(t.Context(), account, b.seeded.Agent.ID,
		&evaluation.Case{Name: "Kept", Enabled: true, Message: "kept"}, turn, nil)
	if err == nil {
		_, err = own.UpdateCase(t.Context(), account, kept.ID, nil, true, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	run := b.end(t, b.start(t, nil).ID)
	if n := len(b.results(t, run)); n != 2 || storetest.Traces(t, b.DB, marker)["turns"] < 3 {
		t.Fatalf("%d results, traces %v", n, storetest.Traces(t, b.DB, marker))
	}
	deleted := time.Now()
	if _, err := erasure.On(b.DB).DeleteEndUser(t.Context(), account, "ada", nil); err != nil {
		t.Fatal(err)
	}
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for left := storetest.Traces(t, b.DB, marker); len(left) > 0; left = storetest.Traces(t, b.DB, marker) {
		if time.Since(deleted) > 10*time.Second {
			t.Fatalf("traces are left after ten seconds: %v", left)
		}
		<-look.C
	}
	t.Logf("all texts were removed after %v", time.Since(deleted))
	texts := storetest.CountRows(t, b.DB, `SELECT count(*) FROM turns WHERE message = 'kept' AND reply IS NOT NULL`)
	cases := storetest.CountRows(t, b.DB, `SELECT count(*) FROM test_cases`)
	if n := len(b.results(t, run)); n != 2 || texts != 1 || cases != 1 {
		t.Errorf("%d results, %d kept replies, %d cases are left", n, texts, cases)
	}
}
