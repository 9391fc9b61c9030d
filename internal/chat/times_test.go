package chat_test

import (
	"testing"
	"time"

	"agentchat/internal/chat"
	"agentchat/internal/store/storetest"
)

// TestTimesOfATurn tests that a message has its model time and that messages behind it have their
// wait. They wait for the session, in the queue of this or another replica, or for the reply that they
// join, whole or as a stream. A stored reply has neither time. TestModelCallSpans tests several calls.
func TestTimesOfATurn(t *testing.T) {
	t.Parallel()
	const took = 20 * time.Millisecond
	for name, msg := range map[string]chat.Message{"whole": {}, "stream": {Stream: newListener()}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			j := newJoinSetup(t, msg, says("Hello"))
			var joined []<-chan sent
			for replica := range j.replicas {
				if msg.Stream != nil {
					j.msg.Stream = newListener()
				}
				joined = append(joined, j.join(t, replica, 1)...)
			}
			var spent time.Time
			const query = `SELECT rate_tat FROM api_exports WHERE id = $1`
			if err := j.store.SQL().QueryRowContext(t.Context(), query, j.f.Export.ID).Scan(&spent); err != nil {
				t.Fatal(err)
			}
			polling := sending(t, j.replicas[1], newMessage(j.f, "s", "polling"))
			eventually(t, func() bool { // its first try has found the session busy
				return storetest.CountRows(t, j.store, `SELECT count(*) FROM api_exports WHERE rate_tat > $1`, spent) == 1
			})
			queued := sending(t, j.replicas[0], newMessage(j.f, "s", "queued"))
			eventually(t, func() bool { return j.replicas[0].Waiting() == 1 })
			<-time.After(took)
			close(j.gate)
			want := func(what string, done <-chan sent, waits, calls bool) {
				t.Helper()
				got := <-done
				if elapsed := time.Since(began); got.err != nil || (got.Waited > 0) != waits ||
					(got.ModelTime > 0) != calls || got.Waited+got.ModelTime > elapsed || what == "first" && got.ModelTime < took {
					t.Errorf("%s: waited %v, model %v of %v: %v", what, got.Waited, got.ModelTime, elapsed, got.err)
				}
			}
			want("first", j.first, false, true)
			want("queued", queued, true, true)
			want("polling", polling, true, true)
			for _, done := range joined {
				want("joined", done, true, false)
			}
			j.msg.Stream = nil
			want("stored", sending(t, j.replicas[0], j.msg), false, false)
		})
	}
}
