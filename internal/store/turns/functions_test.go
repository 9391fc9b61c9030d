package turns_test

import (
	"errors"
	"sync"
	"testing"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// TestFunctionsAreInstalled: a database without a function, or with another text of it, neither
// starts nor is ready for chats. Migrating installs what this binary has, also when several
// replicas do so at once.
func TestFunctionsAreInstalled(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"missing":          `DROP FUNCTION settle_turns_1`,
		"another text":     `COMMENT ON FUNCTION begin_turns_1 IS 'the sum of another text'`,
		"other parameters": `DROP FUNCTION reap_turns_1; CREATE FUNCTION reap_turns_1() RETURNS bigint LANGUAGE sql AS 'SELECT 0::bigint'`,
		"other columns":    `DROP FUNCTION begin_turns_1; DROP TYPE begun_1; CREATE TYPE begun_1 AS (n bigint)`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.Open(t, storetest.URL(t))
			if err := errors.Join(s.SchemaCurrent(t.Context()), s.Ready(t.Context())); err != nil {
				t.Fatal(err)
			}
			storetest.Bulk(t, s, change)
			if err := s.SchemaCurrent(t.Context()); err == nil {
				t.Error("the start accepts it")
			}
			refused, ok := errors.AsType[*store.NotReadyError](s.Ready(t.Context()))
			if !ok || refused.Reason != store.SchemaOld {
				t.Errorf("ready: %v", refused)
			}
			var work sync.WaitGroup
			for range 3 {
				work.Go(func() {
					if err := s.Migrate(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
			work.Wait()
			if err := errors.Join(s.SchemaCurrent(t.Context()), s.Ready(t.Context())); err != nil {
				t.Fatal(err)
			}
			storetest.AnswerTurn(t, s, storetest.Seed(t, s, storetest.Options{}).Key, nil)
		})
	}
}
