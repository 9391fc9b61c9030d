package erasure_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/evaluation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/tests"
	"agentchat/internal/store/turns"
	"agentchat/internal/testlong"
)

// marker is in every text of the end user.
const marker = "Zanzibar"

// say answers a message with the marker, and returns its turn and conversation.
func say(t *testing.T, s *store.DB, f storetest.Fixture, change func(*turns.Begin)) (turn, talk uuid.UUID) {
	t.Helper()
	begun, _ := storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) {
		b.Message, b.UserID, turn = marker, new("ada"), b.TurnID
		if change != nil {
			change(b)
		}
	})
	return turn, begun.ConversationID
}

func caseOf(message string) *evaluation.Case {
	return &evaluation.Case{Name: message, Enabled: true, Message: message}
}

func caseFrom(t *testing.T, s *store.DB, a agent.Agent, turn *uuid.UUID) tests.Case {
	t.Helper()
	c, err := tests.On(s).CreateCase(t.Context(), a.AccountID, a.ID, caseOf(marker), turn, nil)
	must(t, err)
	return c
}

// TestErasedCases deletes a conversation in each possible way while a run has the case made from it.
func TestErasedCases(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(s *store.DB, f storetest.Fixture, talk uuid.UUID) error{
		"the end user": func(s *store.DB, f storetest.Fixture, _ uuid.UUID) error {
			return storetest.ErrOnly(erasure.On(s).DeleteEndUser(t.Context(), f.Account.ID, "ada", nil))
		},
		"the conversation": func(s *store.DB, f storetest.Fixture, talk uuid.UUID) error {
			return erasure.On(s).DeleteConversation(t.Context(), f.Account.ID, talk)
		},
		"the session": func(s *store.DB, f storetest.Fixture, _ uuid.UUID) error {
			return storetest.ErrOnly(erasure.On(s).DeleteConversationsBySessionID(t.Context(), f.Account.ID, "talk", nil))
		},
		"what is idle": func(s *store.DB, f storetest.Fixture, talk uuid.UUID) error {
			storetest.Exec(t, s, `UPDATE conversations SET last_turn_at = now() - interval '8 days' WHERE id = $1`, talk)
			return storetest.ErrOnly(erasure.On(s).PurgeIdle(t.Context(), 7, 10))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			f := storetest.Seed(t, s, storetest.Options{})
			judge := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
			turn, talk := say(t, s, f, func(b *turns.Begin) { b.Session = "talk" })
			linked := caseFrom(t, s, f.Agent, &turn)
			kept, err := tests.On(s).UpdateCase(t.Context(), f.Account.ID, caseFrom(t, s, f.Agent, &turn).ID, nil, true, nil)
			must(t, err)
			run, err := tests.On(s).StartRun(t.Context(), f.Account.ID, tests.NewRun{AgentID: f.Agent.ID, By: uuid.New()},
				func(tests.Plan) (int64, error) { return 0, nil })
			must(t, err)
			storetest.Exec(t, s, `UPDATE test_runs SET judge_agent_id = $1`, judge.ID)
			send := func(number int) {
				for agentID, session := range map[uuid.UUID]string{
					f.Agent.ID: fmt.Sprintf("test.%s.%d.1", run.ID, number),
					judge.ID:   fmt.Sprintf("test.%s.%d.1.0", run.ID, number),
				} {
					say(t, s, f, func(b *turns.Begin) {
						b.Source, b.AccountID, b.AgentID, b.Session = conversation.Test, f.Account.ID, agentID, session
						if number == kept.Number {
							b.Message, b.UserID = "kept", nil
						}
					})
				}
			}
			send(linked.Number)
			send(kept.Number)
			must(t, remove(s, f, talk))
			if n := storetest.CountRows(t, s, `SELECT count(*) FROM test_cases WHERE document <> ''`); n != 1 {
				t.Errorf("%d documents are left at once", n)
			}
			purge := func() {
				must(t, storetest.ErrOnly(erasure.On(s).PurgeErasedCases(t.Context(), 100)))
				must(t, storetest.ErrOnly(erasure.On(s).EraseEndUsers(t.Context(), 100)))
			}
			purge()
			send(linked.Number) // a message that was in flight
			purge()
			if left := storetest.Traces(t, s, marker); len(left) != 1 || left["test_cases"] != 1 {
				t.Errorf("traces are left: %v", left)
			}
			if n := storetest.CountRows(t, s, `SELECT count(*) FROM turns WHERE message = 'kept'`); n != 2 {
				t.Errorf("%d messages of the other case are left", n)
			}
			storetest.Exec(t, s, `UPDATE test_runs SET state = 'PASSED', ended_at = now(), due_at = NULL`)
			purge()
			if n := storetest.CountRows(t, s, `SELECT count(*) FROM test_cases`); n != 1 {
				t.Errorf("%d cases are left after the run", n)
			}
			_, err = tests.On(s).UpdateCase(t.Context(), f.Account.ID, linked.ID, nil, true, nil)
			if !fault.Is(err, fault.NotFound) {
				t.Errorf("keeping an erased case: %v", err)
			}
			storetest.Audit(t, s)
		})
	}
}

// TestErasedCasesOfAWaitingRun tests that a waiting run's erased cases do not hold up others.
func TestErasedCasesOfAWaitingRun(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	turn, talk := say(t, s, f, nil)
	waiting := caseFrom(t, s, f.Agent, &turn)
	_, err := tests.On(s).StartRun(t.Context(), f.Account.ID, tests.NewRun{AgentID: f.Agent.ID, By: uuid.New()},
		func(tests.Plan) (int64, error) { return 0, nil })
	must(t, err)
	other := caseFrom(t, s, f.Agent, &turn)
	must(t, erasure.On(s).DeleteConversation(t.Context(), f.Account.ID, talk))
	storetest.Exec(t, s, `UPDATE test_cases SET erased_at = erased_at - interval '1 s' WHERE id = $1`, waiting.ID)
	n, err := erasure.On(s).PurgeErasedCases(t.Context(), 1)
	if left := storetest.CountRows(t, s, `SELECT count(*) FROM test_cases WHERE id = $1`, other.ID); n != 1 || left != 0 || err != nil {
		t.Errorf("purged %d cases, %d is left, %v", n, left, err)
	}
}

// TestEndedCases tests that cases are deleted once they ended over an hour ago, unless a kept run has them.
func TestEndedCases(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	own := tests.On(s)
	named := caseFrom(t, s, f.Agent, nil)
	run, err := own.StartRun(t.Context(), f.Account.ID, tests.NewRun{AgentID: f.Agent.ID, By: uuid.New()},
		func(tests.Plan) (int64, error) { return 0, nil })
	must(t, err)
	must(t, own.DeleteCases(t.Context(), f.Account.ID, []uuid.UUID{named.ID, caseFrom(t, s, f.Agent, nil).ID}))
	other := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
	must(t, own.DeleteCases(t.Context(), f.Account.ID, []uuid.UUID{caseFrom(t, s, other, nil).ID}))
	left := func(want int) {
		t.Helper()
		must(t, storetest.ErrOnly(own.PurgeEndedCases(t.Context(), 100)))
		if n := storetest.CountRows(t, s, `SELECT count(*) FROM test_cases`); n != want {
			t.Errorf("%d cases are left, want %d", n, want)
		}
	}
	left(3)
	storetest.Exec(t, s, `UPDATE test_cases SET ended_at = ended_at - interval '3 hours'`)
	left(1)
	must(t, own.DeleteRun(t.Context(), f.Account.ID, run.ID))
	left(0)
}

// TestDeletedRunsCount tests that deleting a run frees nothing on the day of its start: its credits, its
// start and its idempotency key still count. Its row is removed after that day, or with its agent.
func TestDeletedRunsCount(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	own := tests.On(s)
	caseFrom(t, s, f.Agent, nil)
	must(t, storetest.ErrOnly(own.UpdateSettings(t.Context(), f.Account.ID, f.Agent.ID,
		tests.SettingsChanges{TokenCreditsPerDay: storetest.SetTo(int64(10))})))
	start := func(key string) (tests.Run, error) {
		return own.StartRun(t.Context(), f.Account.ID, tests.NewRun{AgentID: f.Agent.ID, By: uuid.New(), ByToken: true,
			Budget: new(int64(10)), IdempotencyKey: &key}, func(tests.Plan) (int64, error) { return 0, nil })
	}
	purge := func(want int) {
		t.Helper()
		n, err := erasure.On(s).PurgeDeletedRuns(t.Context(), 10)
		if left := storetest.CountRows(t, s, `SELECT count(*) FROM test_runs`); left != want || err != nil {
			t.Errorf("purged %d runs, %d are left, want %d, %v", n, left, want, err)
		}
	}
	run, err := start("key")
	must(t, err)
	storetest.Exec(t, s, `UPDATE test_runs SET credits = 10`)
	must(t, own.DeleteRun(t.Context(), f.Account.ID, run.ID))
	purge(1)
	for _, key := range []string{"key", "other"} {
		if _, err := start(key); !fault.Is(err, fault.Conflict) {
			t.Errorf("a start with the key %q: %v", key, err)
		}
	}
	storetest.Exec(t, s, `UPDATE test_runs SET created_at = created_at - interval '1 day', deleted_at = deleted_at - interval '1 day'`)
	purge(0)
	run, err = start("key")
	must(t, err)
	must(t, own.DeleteRun(t.Context(), f.Account.ID, run.ID))
	purge(1)
	must(t, erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID))
	purge(0)
}

// TestACaseAgainstADeletion makes a case from a turn while its conversation is deleted, in both
// orders.
func TestACaseAgainstADeletion(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	for _, caseFirst := range []bool{true, false} {
		turn, talk := say(t, s, f, nil)
		var created error
		creation := func() error {
			_, created = tests.On(s).CreateCase(t.Context(), f.Account.ID, f.Agent.ID, caseOf(marker), &turn, nil)
			return nil
		}
		deletion := func() error { return erasure.On(s).DeleteConversation(t.Context(), f.Account.ID, talk) }
		first, second := deletion, creation
		if caseFirst {
			first, second = creation, deletion
		}
		release := storetest.WhileLocked(t, s, `SELECT id FROM conversations`, first)
		done := make(chan error, 1)
		go func() { done <- second() }()
		storetest.WaitForLocks(t, s, 2)
		release()
		must(t, <-done)
		if caseFirst && created != nil || !caseFirst && !fault.Is(created, fault.NotFound) {
			t.Errorf("with the case first (%t): %v", caseFirst, created)
		}
		if left := storetest.Traces(t, s, marker); len(left) != 0 {
			t.Errorf("traces are left: %v", left)
		}
	}
}

// TestCasesAgainstDeletions makes, keeps and deletes cases on one replica, a thousand times, while
// another one deletes their end users.
func TestCasesAgainstDeletions(t *testing.T) {
	testlong.Only(t)
	one, two := storetest.Replicas(t)
	f := storetest.Seed(t, one, storetest.Options{Credits: 2000})
	refused := 0
	for i := range 1000 {
		turn, _ := say(t, one, f, func(b *turns.Begin) { b.UserID, b.Session = new(fmt.Sprint(i)), fmt.Sprint(i) })
		done := make(chan error, 1)
		go func() {
			_, err := erasure.On(two).DeleteEndUser(t.Context(), f.Account.ID, fmt.Sprint(i), nil)
			done <- err
		}()
		c, err := tests.On(one).CreateCase(t.Context(), f.Account.ID, f.Agent.ID, caseOf(marker), &turn, nil)
		if err == nil {
			_, err = tests.On(one).UpdateCase(t.Context(), f.Account.ID, c.ID, caseOf(marker+"!"), false, nil)
		}
		if fault.Is(err, fault.NotFound) {
			refused++
		} else if err != nil {
			t.Error(err)
		}
		must(t, <-done)
	}
	t.Logf("%d of 1000 were refused", refused)
	for _, s := range []*store.DB{one, two} {
		must(t, storetest.ErrOnly(erasure.On(s).PurgeErasedCases(t.Context(), 5000)))
		must(t, storetest.ErrOnly(erasure.On(s).EraseEndUsers(t.Context(), 5000)))
	}
	if left := storetest.Traces(t, one, marker); len(left) != 0 {
		t.Errorf("traces are left: %v", left)
	}
	if n := storetest.CountRows(t, one, `SELECT count(*) FROM test_cases`); n != 0 {
		t.Errorf("%d cases are left", n)
	}
}

// TestCasesOfADeletedAgent tests that deleting an agent deletes its cases.
func TestCasesOfADeletedAgent(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	turn, _ := say(t, s, f, nil)
	c := caseFrom(t, s, f.Agent, &turn)
	_, err := tests.On(s).UpdateCase(t.Context(), f.Account.ID, c.ID, nil, true, nil)
	must(t, err)
	must(t, erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID))
	if left := storetest.Traces(t, s, marker); len(left) != 0 {
		t.Errorf("traces are left: %v", left)
	}
	if _, err := agents.On(s).Agent(t.Context(), f.Account.ID, f.Agent.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("the agent: %v", err)
	}
}
