package e2e_test

import (
	"fmt"
	"testing"

	"agentchat/internal/evaluation"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/tests"
	"agentchat/internal/testlong"
)

// TestKilledTestRun kills the only replica while it runs test cases with several steps. Another one
// finishes the run once the lease has expired, and each message is charged once.
func TestKilledTestRun(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	const cases = 12
	c := newCluster(t, 1)
	f := storetest.Seed(t, c.store, storetest.Options{Credits: cases})
	for i := range cases {
		message := fmt.Sprintf("[[sandbox delay=1s]] %d", i)
		if _, err := tests.On(c.store).CreateCase(t.Context(), f.Account.ID, f.Agent.ID,
			&evaluation.Case{Name: message, Enabled: true, Message: message}, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	run, err := tests.On(c.store).StartRun(t.Context(), f.Account.ID,
		tests.NewRun{AgentID: f.Agent.ID, By: f.Account.OwnerID},
		func(tests.Plan) (int64, error) { return cases, nil })
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "messages are answered and in flight", func() bool {
		balance, held := creditsOf(t, c.store, f)
		return balance < cases && held > 0
	})
	c.replicas[0].kill()
	c.replicas = append(c.replicas, start(t, c.url))
	storetest.Exec(t, c.store, `UPDATE test_runs SET due_at = now()`) // as after the lease
	var got tests.Run
	eventually(t, "the run ends", func() bool {
		got, err = tests.On(c.store).Run(t.Context(), f.Account.ID, run.ID)
		return err != nil || got.EndedAt != nil
	})
	if err != nil || got.State != tests.RunPassed || got.Credits != cases {
		t.Errorf("the run is %+v, %v", got, err)
	}
	if charged, answered := chargesOf(t, c.store, f); charged != cases || answered != cases {
		t.Errorf("%d charges, %d turns answered", charged, answered)
	}
	expectNoHold(t, c.store, f)
	storetest.Audit(t, c.store)
}
