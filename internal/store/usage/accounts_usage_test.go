package usage_test

import (
	"maps"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/credit"
	"agentchat/internal/fault"
	"agentchat/internal/store/usage"
)

// pages reads all rows of a usage, in pages of a random size.
func (l *usageLab) pages(q usage.AccountsQuery) (out []usage.AccountsUsageRow) {
	l.Helper()
	for q.Limit = 1 + l.random.IntN(5); ; q.After = &out[len(out)-1].AccountsKey {
		rows, err := usage.On(l.s).AccountsUsage(l.Context(), q)
		if err != nil || len(rows) > q.Limit {
			l.Fatalf("%+v: %d rows, %v", q, len(rows), err)
		}
		if out = append(out, rows...); len(rows) < q.Limit {
			return out
		}
	}
}

// checkAccounts compares the operator's usage of random ranges with the expected one.
func (l *usageLab) checkAccounts(times int) {
	l.Helper()
	for range times {
		q := usage.Query{Filter: l.query().Filter, Zone: time.UTC, SplitBy: []credit.Dimension{credit.ByAgent, credit.ByModel}}
		q.Filter = usage.Filter{From: q.Filter.From, To: q.Filter.To}
		by := []usage.Dimension{usage.ByModel, usage.ByAgent, usage.ByAccount}
		if l.random.IntN(2) == 0 {
			q.Interval, by = credit.Day, append(by, usage.ByDay)
		}
		var account *uuid.UUID // all, or the only one that has used something
		if l.random.IntN(2) == 0 {
			account = &l.account
		}
		all := usage.AccountsQuery{Account: &uuid.Max, From: q.Filter.From, To: q.Filter.To, By: by}
		if rows, err := usage.On(l.s).AccountsUsage(l.Context(), all); !fault.Is(err, fault.NotFound) {
			l.Fatalf("of another account: %+v %v", rows, err)
		}
		all.Account = account
		got := map[string]total{}
		for _, r := range l.pages(all) {
			if r.Day != nil {
				r.Day = new(r.Day.UTC())
			}
			if *r.Account != l.account {
				l.Errorf("%+v: a row of %s", q, *r.Account)
			}
			id := credit.UsageID{Agent: *r.Agent, Model: *r.Model}
			l.add(got, r.Day, id, total{r.Messages, r.Failed, r.Credits, r.InputTokens, r.CachedTokens, r.OutputTokens, r.ProviderCost, r.Uncosted})
		}
		if want := l.want(q); !maps.Equal(got, want) {
			l.Fatalf("%+v:\n got %v\nwant %v", q, got, want)
		}
	}
}
