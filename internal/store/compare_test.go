package store_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// rowsNow describes all rows that a turn can write, in a transaction. Times are replaced by whole seconds from now.
const rowsNow = `SELECT concat_ws(' ', kind, jsonb_pretty(
		row - '{rate_tat,last_turn_at,deadline,settled_at,created_at,since,contended_until,updated_at,id,turn_id,conversation_id}'::text[])
		, ids, times)
	FROM (
		SELECT 'export' AS kind, to_jsonb(e) AS row, e.id::text AS ids, round(extract(epoch FROM greatest(e.rate_tat - now(), '0')) / 10)::text AS times FROM api_exports e
		UNION ALL SELECT 'conversation', to_jsonb(c), c.id::text, (c.last_turn_at >= now())::text FROM conversations c
		UNION ALL SELECT 'turn', to_jsonb(t), t.id::text || t.conversation_id, coalesce(CASE WHEN t.created_at >= now() THEN round(extract(epoch FROM t.deadline - now()) / 10) END::text, '') || (t.settled_at IS NOT NULL) FROM turns t
		UNION ALL SELECT 'entry', to_jsonb(e), e.turn_id::text, NULL FROM credit_entries e
		UNION ALL SELECT 'counter', to_jsonb(l), NULL, NULL FROM limit_counters l
		UNION ALL SELECT 'account', to_jsonb(a), a.id::text, NULL FROM accounts a
	) x ORDER BY 1`

func shown(v any) string {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		panic(err)
	}
	return string(text)
}

func differ(t *testing.T, what, old, now string) {
	t.Helper()
	if old == now {
		return
	}
	a, b := strings.Split(old, "\n"), strings.Split(now, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Errorf("%s, line %d: before %q, now %q\n%s\n-----\n%s", what, i, a[i], b[i], strings.Join(a[max(0, i-6):min(len(a), i+6)], "\n"), strings.Join(b[max(0, i-6):min(len(b), i+6)], "\n"))
			return
		}
	}
	t.Errorf("%s: %d lines, now %d", what, len(a), len(b))
}

type comparison struct {
	options storetest.Options
	prepare func(f storetest.Fixture)
	change  func(f storetest.Fixture, b *store.Begin)
	want    store.Outcome
}

func TestCompareBegin(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	quiet := storetest.Seed(t, s, storetest.Options{})
	for range 3 {
		answered(t, s, quiet.Key, func(b *store.Begin) { inSession(b, "known") })
	}
	user, other := "ada", "bob"
	play := func(f storetest.Fixture, b *store.Begin) {
		b.Source, b.AccountID, b.AgentID = conversation.Playground, f.Account.ID, f.Agent.ID
	}
	both := func(changes ...func(f storetest.Fixture, b *store.Begin)) func(f storetest.Fixture, b *store.Begin) {
		return func(f storetest.Fixture, b *store.Begin) {
			for _, c := range changes {
				c(f, b)
			}
		}
	}
	b := func(change func(b *store.Begin)) func(f storetest.Fixture, b *store.Begin) {
		return func(_ storetest.Fixture, b *store.Begin) { change(b) }
	}
	sql := func(query string) func(f storetest.Fixture) {
		return func(f storetest.Fixture) { exec(t, s, query, f.Account.ID) }
	}
	keyed := b(withKey)
	version := func(n int) func(f storetest.Fixture, b *store.Begin) {
		return b(func(b *store.Begin) { b.Version = &n })
	}
	required := storetest.Options{Variables: []agent.Variable{{Name: "x", Required: true}, {Name: "y"}}, Instructions: "{{x}} {{y}}"}
	values := func(v map[string]string) func(f storetest.Fixture, b *store.Begin) {
		return b(func(b *store.Begin) { b.Variables = v })
	}
	as := func(who *string) func(f storetest.Fixture, b *store.Begin) {
		return b(func(b *store.Begin) { b.UserID = who })
	}
	unspent := b(func(b *store.Begin) { b.SpendRate = false })
	limits := func(c agent.ExportChanges) func(f storetest.Fixture) {
		return func(f storetest.Fixture) { limit(t, s, f, c) }
	}
	done := func(change func(b *store.Begin)) func(f storetest.Fixture) {
		return func(f storetest.Fixture) { answered(t, s, f.Key, change) }
	}
	after := func(steps ...func(f storetest.Fixture)) func(f storetest.Fixture) {
		return func(f storetest.Fixture) {
			for _, step := range steps {
				step(f)
			}
		}
	}
	gone := func(f storetest.Fixture) {
		if _, err := s.DeleteConversationsByLabel(t.Context(), f.Account.ID, "s", nil); err != nil {
			t.Fatal(err)
		}
	}
	asUser := func(b *store.Begin) { b.UserID = &user }
	slow := storetest.Options{RatePerMinute: 2}
	for name, c := range map[string]comparison{
		"new session":             {want: store.Begun},
		"known session":           {prepare: done(nil), want: store.Begun},
		"known session of a user": {prepare: done(asUser), change: as(&user), want: store.Begun},
		"of another user":         {prepare: done(asUser), change: as(&other), want: store.OtherUser},
		"of a user, sent without": {prepare: done(asUser), want: store.OtherUser},
		"of none, sent with":      {prepare: done(nil), change: as(&user), want: store.OtherUser},
		"deleted session":         {prepare: after(done(nil), gone), want: store.Begun},
		"idempotency key":         {change: keyed, want: store.Begun},
		"replay":                  {prepare: done(withKey), change: keyed, want: store.Replay},
		"replay of a draft":       {prepare: after(done(withKey), sql(`UPDATE agents SET state = 'DRAFT' WHERE account_id = $1`)), change: keyed, want: store.Replay},
		"replay admitted":         {prepare: done(withKey), change: both(keyed, b(func(b *store.Begin) { b.AdmitOnly = true })), want: store.Replay},
		"replay of a deleted":     {prepare: after(done(withKey), gone), change: keyed, want: store.ConversationDeleted},
		"deleted, another body":   {prepare: after(done(withKey), gone), change: both(keyed, b(func(b *store.Begin) { b.Fingerprint[0] ^= 1 })), want: store.KeyReused},
		"key reused":              {prepare: done(withKey), change: both(keyed, b(func(b *store.Begin) { b.Fingerprint[0] ^= 1 })), want: store.KeyReused},
		"key in progress":         {prepare: func(f storetest.Fixture) { begin(t, s, f.Key, withKey) }, change: keyed, want: store.InProgress},
		"failed key": {prepare: func(f storetest.Fixture) {
			var id uuid.UUID
			begin(t, s, f.Key, func(b *store.Begin) { withKey(b); id = b.TurnID })
			finish(t, s, id, conversation.Failed)
		}, change: keyed, want: store.Begun},
		"the playground's key":      {prepare: done(withKey), change: both(keyed, play), want: store.Begun},
		"unknown key":               {change: b(func(b *store.Begin) { b.Key[0] ^= 1 }), want: store.Unauthorized},
		"removed key":               {prepare: sql(`UPDATE api_keys SET removed_at = now() WHERE account_id = $1`), want: store.Unauthorized},
		"expired key":               {prepare: sql(`UPDATE api_keys SET expires_at = now() WHERE account_id = $1`), want: store.Unauthorized},
		"key that expires later":    {prepare: sql(`UPDATE api_keys SET expires_at = now() + interval '1 h' WHERE account_id = $1`), want: store.Begun},
		"removed export":            {prepare: sql(`UPDATE api_exports SET removed_at = now() WHERE account_id = $1`), want: store.Unauthorized},
		"expired export":            {prepare: sql(`UPDATE api_exports SET expires_at = now() WHERE account_id = $1`), want: store.Unauthorized},
		"export that expires later": {prepare: sql(`UPDATE api_exports SET expires_at = now() + interval '1 h' WHERE account_id = $1`), want: store.Begun},
		"paused export":             {prepare: sql(`UPDATE api_exports SET paused_at = now() WHERE account_id = $1`), want: store.ExportPaused},
		"paused and expired":        {prepare: sql(`UPDATE api_exports SET paused_at = now(), expires_at = now() WHERE account_id = $1`), want: store.Unauthorized},
		"suspended account":         {prepare: func(f storetest.Fixture) { storetest.SetAccountState(t, s, f.Account.ID, account.Suspended) }, want: store.Unauthorized},
		"deleted agent":             {prepare: sql(`UPDATE agents SET deleted_at = now() WHERE account_id = $1`), want: store.Unauthorized},
		"rate":                      {options: slow, want: store.Begun},
		"second of the rate":        {options: slow, prepare: func(f storetest.Fixture) { begin(t, s, f.Key, func(b *store.Begin) { inSession(b, "a") }) }, want: store.Begun},
		"over the rate": {options: slow, prepare: func(f storetest.Fixture) {
			for i := range 2 {
				begin(t, s, f.Key, func(b *store.Begin) { inSession(b, fmt.Sprint(i)) })
			}
		}, want: store.RateLimited},
		"over the rate, tried again": {options: slow, prepare: func(f storetest.Fixture) {
			for i := range 2 {
				begin(t, s, f.Key, func(b *store.Begin) { inSession(b, fmt.Sprint(i)) })
			}
		}, change: unspent, want: store.Begun},
		"paused over the rate": {options: slow, prepare: after(func(f storetest.Fixture) {
			for i := range 2 {
				begin(t, s, f.Key, func(b *store.Begin) { inSession(b, fmt.Sprint(i)) })
			}
		}, sql(`UPDATE api_exports SET paused_at = now() WHERE account_id = $1`)), want: store.ExportPaused},
		"a draft":                   {options: storetest.Options{Draft: true}, want: store.Draft},
		"a draft without credits":   {options: storetest.Options{Draft: true, Credits: -1}, want: store.Draft},
		"another model":             {options: storetest.Options{Model: "sandbox/other"}, want: store.ModelWithdrawn},
		"user required":             {prepare: limits(agent.ExportChanges{RequireUserID: setTo(true)}), want: store.UserMissing},
		"user required and sent":    {prepare: limits(agent.ExportChanges{RequireUserID: setTo(true)}), change: as(&user), want: store.Begun},
		"user limit without a user": {prepare: limits(agent.ExportChanges{UserDailyMessageLimit: setTo(3)}), want: store.UserMissing},
		"variable missing":          {options: required, want: store.VariableMissing},
		"variable unknown":          {options: required, change: values(map[string]string{"z": "1", "x": "1"}), want: store.VariableUnknown},
		"undeclared variable":       {change: values(map[string]string{"z": "1"}), want: store.VariableUnknown},
		"variables":                 {options: required, change: values(map[string]string{"x": "1"}), want: store.Begun},
		"too long": {options: storetest.Options{Variables: required.Variables, Instructions: strings.Repeat("{{x}}", 40)},
			change: values(map[string]string{"x": strings.Repeat("x", 4000)}), want: store.InstructionsTooLong},
		"user before variables": {options: required, prepare: limits(agent.ExportChanges{RequireUserID: setTo(true)}), want: store.UserMissing},
		"busy":                  {prepare: func(f storetest.Fixture) { begin(t, s, f.Key, nil) }, want: store.Busy},
		"busy without credits":  {options: storetest.Options{Credits: 1}, prepare: func(f storetest.Fixture) { begin(t, s, f.Key, nil) }, want: store.Busy},
		"busy of another user":  {prepare: func(f storetest.Fixture) { begin(t, s, f.Key, asUser) }, want: store.OtherUser},
		"no credits":            {options: storetest.Options{Credits: -1}, want: store.InsufficientCredits},
		"the last credit":       {options: storetest.Options{Credits: 1}, want: store.Begun},
		"credits held":          {options: storetest.Options{Credits: 1}, prepare: func(f storetest.Fixture) { begin(t, s, f.Key, func(b *store.Begin) { inSession(b, "a") }) }, want: store.InsufficientCredits},
		"free without credits":  {options: storetest.Options{Credits: -1}, change: b(func(b *store.Begin) { b.Prices = []int64{0} }), want: store.Begun},
		"day limit":             {prepare: limits(agent.ExportChanges{DailyCreditLimit: setTo(int64(5))}), want: store.Begun},
		"month limit":           {prepare: limits(agent.ExportChanges{MonthlyCreditLimit: setTo(int64(5))}), want: store.Begun},
		"user limit":            {prepare: limits(agent.ExportChanges{UserDailyMessageLimit: setTo(5)}), change: as(&user), want: store.Begun},
		"all limits, second": {prepare: after(limits(agent.ExportChanges{DailyCreditLimit: setTo(int64(5)), MonthlyCreditLimit: setTo(int64(7)), UserDailyMessageLimit: setTo(5)}), done(asUser)),
			change: as(&user), want: store.Begun},
		"day limit reached":     {prepare: after(limits(agent.ExportChanges{DailyCreditLimit: setTo(int64(1))}), done(nil)), want: store.LimitReached},
		"two limits reached":    {prepare: after(limits(agent.ExportChanges{DailyCreditLimit: setTo(int64(1)), MonthlyCreditLimit: setTo(int64(1))}), done(nil)), want: store.LimitReached},
		"user limit reached":    {prepare: after(limits(agent.ExportChanges{UserDailyMessageLimit: setTo(1)}), done(asUser)), change: as(&user), want: store.LimitReached},
		"another user":          {prepare: after(limits(agent.ExportChanges{UserDailyMessageLimit: setTo(1)}), done(func(b *store.Begin) { b.UserID = &other; inSession(b, "a") })), change: as(&user), want: store.Begun},
		"limit below a price":   {prepare: limits(agent.ExportChanges{DailyCreditLimit: setTo(int64(5))}), change: b(func(b *store.Begin) { b.Prices = []int64{6} }), want: store.LimitReached},
		"credits before limits": {options: storetest.Options{Credits: 1}, prepare: after(limits(agent.ExportChanges{DailyCreditLimit: setTo(int64(1))}), done(nil)), want: store.InsufficientCredits},
		"unavailable":           {change: b(func(b *store.Begin) { b.UnavailableModels = b.Models }), want: store.ModelUnavailable},
		"limit before unavailable": {prepare: after(limits(agent.ExportChanges{DailyCreditLimit: setTo(int64(1))}), done(nil)),
			change: b(func(b *store.Begin) { b.UnavailableModels = b.Models }), want: store.LimitReached},
		"pinned":                         {prepare: after(func(f storetest.Fixture) { editAndPublish(t, s, f) }, sql(`UPDATE api_exports SET version = 1 WHERE account_id = $1`)), want: store.Begun},
		"second version":                 {prepare: func(f storetest.Fixture) { editAndPublish(t, s, f) }, want: store.Begun},
		"playground":                     {change: play, want: store.Begun},
		"playground, version":            {prepare: func(f storetest.Fixture) { editAndPublish(t, s, f) }, change: both(play, version(1)), want: store.Begun},
		"playground, no such version":    {change: both(play, version(9)), want: store.NoVersion},
		"playground of a draft":          {options: storetest.Options{Draft: true}, change: play, want: store.Begun},
		"playground without a model":     {prepare: sql(`UPDATE agents SET model = NULL WHERE account_id = $1`), change: play, want: store.NoModel},
		"playground, model withdrawn":    {options: storetest.Options{Model: "sandbox/other"}, change: play, want: store.ModelWithdrawn},
		"playground, suspended":          {prepare: func(f storetest.Fixture) { storetest.SetAccountState(t, s, f.Account.ID, account.Suspended) }, change: play, want: store.NotFound},
		"playground of another":          {change: both(play, b(func(b *store.Begin) { b.AccountID = quiet.Account.ID })), want: store.NotFound},
		"playground, deleted":            {prepare: sql(`UPDATE agents SET deleted_at = now() WHERE account_id = $1`), change: play, want: store.NotFound},
		"playground, no credits":         {options: storetest.Options{Credits: -1}, change: play, want: store.InsufficientCredits},
		"playground beside API":          {prepare: done(nil), change: play, want: store.Begun},
		"playground, variables":          {options: required, change: both(play, values(map[string]string{"x": "1"})), want: store.Begun},
		"playground, variable missing":   {options: required, change: play, want: store.VariableMissing},
		"playground, a user":             {change: both(play, as(&user)), want: store.Begun},
		"playground of a limited export": {prepare: limits(agent.ExportChanges{DailyCreditLimit: setTo(int64(0 + 1)), RequireUserID: setTo(true)}), change: play, want: store.Begun},
		"admitted":                       {change: b(func(b *store.Begin) { b.AdmitOnly = true }), want: store.Admitted},
		"admitted without credits":       {options: storetest.Options{Credits: -1}, change: b(func(b *store.Begin) { b.AdmitOnly = true }), want: store.Admitted},
		"admitted when busy":             {prepare: func(f storetest.Fixture) { begin(t, s, f.Key, nil) }, change: b(func(b *store.Begin) { b.AdmitOnly = true }), want: store.Admitted},
		"admit of a draft":               {options: storetest.Options{Draft: true}, change: b(func(b *store.Begin) { b.AdmitOnly = true }), want: store.Draft},
		"admit over the rate": {options: slow, prepare: func(f storetest.Fixture) {
			for i := range 2 {
				begin(t, s, f.Key, func(b *store.Begin) { inSession(b, fmt.Sprint(i)) })
			}
		},
			change: b(func(b *store.Begin) { b.AdmitOnly = true }), want: store.RateLimited},
		"admit, playground": {change: both(play, b(func(b *store.Begin) { b.AdmitOnly = true })), want: store.Admitted},
	} {
		t.Run(name, func(t *testing.T) {
			f := storetest.Seed(t, s, c.options)
			if c.prepare != nil {
				c.prepare(f)
			}
			item, plain := newBegin(f.Key), newBegin(quiet.Key)
			item.Prices, plain.Prices = []int64{1}, []int64{1}
			inSession(&plain, "known")
			if c.change != nil {
				c.change(f, &item)
			}
			plain.UnavailableModels, plain.Prices = item.UnavailableModels, item.Prices
			if item.Source == conversation.Playground {
				plain.Source, plain.AccountID, plain.AgentID = conversation.Playground, quiet.Account.ID, quiet.Agent.ID
			}
			results, rows := map[string]string{}, map[string]string{}
			for mode, items := range map[string][]store.Begin{"before": {item}, "now": {item}, "before, two": {plain, item}, "now, two": {plain, item}} {
				err := s.Undone(t.Context(), func(tx *store.Store) error {
					var got []store.BeginResult
					var err error
					if strings.HasPrefix(mode, "now") {
						got, err = tx.BeginTurns(t.Context(), items...)
					} else {
						for _, b := range items {
							one, oneErr := tx.BeginBefore(t.Context(), b)
							if err == nil {
								err = oneErr
							}
							got = append(got, one)
						}
					}
					if err != nil {
						return err
					}
					if last := got[len(got)-1]; last.Outcome != c.want {
						t.Errorf("%s: %s, want %s", mode, last.Outcome, c.want)
					}
					for i := range got {
						g := &got[i]
						g.Caller.RateAhead = g.Caller.RateAhead.Round(time.Second)
						if g.Prior.TurnID != uuid.Nil {
							g.ReplayOf = g.Prior.TurnID
						}
						if g.Outcome != store.Replay {
							g.ReplayOf = uuid.Nil
						}
						g.Prior = store.StoredReply{}
						if c.want == store.Admitted || items[i].AdmitOnly || g.Outcome == store.Unauthorized || g.Outcome == store.NotFound {
							*g = store.BeginResult{Admission: g.Admission} // only the gate's columns were there
						}
					}
					results[mode] = shown(got)
					r, err := tx.Query(t.Context(), rowsNow)
					rows[mode] = strings.Join(r, "\n")
					return err
				})
				if err != nil {
					t.Fatalf("%s: %v", mode, err)
				}
			}
			differ(t, "result", results["before"], results["now"])
			differ(t, "result of two", results["before, two"], results["now, two"])
			differ(t, "rows", rows["before"], rows["now"])
			differ(t, "rows of two", rows["before, two"], rows["now, two"])
		})
	}
}

func editAndPublish(t *testing.T, s *store.Store, f storetest.Fixture) {
	t.Helper()
	exec(t, s, `UPDATE agents SET instructions = 'Second.', temperature = 0.5, max_output_tokens = 77, context_turns = 3 WHERE id = $1`, f.Agent.ID)
	a, err := s.Agent(t.Context(), f.Account.ID, f.Agent.ID)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Publish(t, s, a)
}

func TestCompareSettle(t *testing.T) {
	t.Parallel()
	user := "ada"
	n := func(i int64) *int64 { return &i }
	full := store.Settlement{State: conversation.Answered, Reply: "hi", FinishReason: "stop", InputTokens: n(3), OutputTokens: n(4), InputBytes: 50,
		Timing: store.Timing{Waited: time.Second, FirstText: 2 * time.Second, Total: 3 * time.Second, Model: time.Second, Streamed: true}}
	failed := store.Settlement{State: conversation.Failed, ErrorCode: "model_error", InputBytes: 50, Timing: store.Timing{Total: time.Second}}
	sent := full
	sent.Sent = true
	deleted := `UPDATE turns SET deleted_at = now(), message = '' WHERE id = $1`
	for name, c := range map[string]struct {
		in     store.Settlement
		before string
		limits bool
		want   store.Outcome
	}{
		"answered": {in: full, want: store.Settled}, "failed": {in: failed, want: store.Settled},
		"deleted": {in: full, before: deleted, want: store.Settled}, "deleted, sent": {in: sent, before: deleted, want: store.Settled},
		"deleted, failed": {in: failed, before: deleted, want: store.Settled},
		"limited":         {in: full, limits: true, want: store.Settled}, "limited, failed": {in: failed, limits: true, want: store.Settled},
		"limited, deleted": {in: full, limits: true, before: deleted, want: store.Settled},
		"again":            {in: full, before: `UPDATE turns SET state = 'ANSWERED', credits_remaining = 7 WHERE id = $1`, want: store.AlreadyAnswered},
		"failed before":    {in: full, before: `UPDATE turns SET state = 'FAILED', error_code = 'unavailable' WHERE id = $1`, want: store.AlreadyFailed},
		"gone":             {in: full, before: `DELETE FROM turns WHERE id = $1`, want: store.Gone},
		"agent gone":       {in: full, before: `UPDATE agents SET name = '' WHERE id = (SELECT agent_id FROM turns WHERE id = $1)`, want: store.Settled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			fixtures := []storetest.Fixture{storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})}
			var items []store.Settlement
			for i := range 4 { // two of each account
				f := fixtures[i/2]
				if c.limits && i%2 == 0 {
					limit(t, s, f, agent.ExportChanges{DailyCreditLimit: setTo(int64(5)), MonthlyCreditLimit: setTo(int64(7)), UserDailyMessageLimit: setTo(5)})
				}
				b := newBegin(f.Key)
				b.UserID, b.Session = &user, fmt.Sprint(i)
				if got, err := s.BeginTurn(t.Context(), b); err != nil || got.Outcome != store.Begun {
					t.Fatal(got.Outcome, err)
				}
				in := full
				if i == 0 || i == 3 {
					in = c.in
				}
				in.TurnID = b.TurnID
				if c.before != "" && (i == 0 || i == 3) {
					exec(t, s, c.before, b.TurnID)
				}
				items = append(items, in)
			}
			results, rows := map[string]string{}, map[string]string{}
			for mode, some := range map[string][]store.Settlement{"before": items[:1], "now": items[:1], "before, four": items, "now, four": items} {
				if err := s.Undone(t.Context(), func(tx *store.Store) error {
					var got []store.Finished
					var err error
					if strings.HasPrefix(mode, "now") {
						got, err = tx.SettleTurns(t.Context(), some...)
					} else {
						for _, in := range some {
							one, oneErr := tx.FinishBefore(t.Context(), in)
							if err == nil {
								err = oneErr
							}
							got = append(got, one)
						}
					}
					if err != nil {
						return err
					}
					if got[0].Outcome != c.want {
						t.Errorf("%s: %s, want %s", mode, got[0].Outcome, c.want)
					}
					results[mode] = shown(got)
					r, err := tx.Query(t.Context(), rowsNow)
					rows[mode] = strings.Join(r, "\n")
					return err
				}); err != nil {
					t.Fatalf("%s: %v", mode, err)
				}
			}
			differ(t, "result", results["before"], results["now"])
			differ(t, "result of four", results["before, four"], results["now, four"])
			differ(t, "rows", rows["before"], rows["now"])
			differ(t, "rows of four", rows["before, four"], rows["now, four"])
		})
	}
}
