package usage_test

import (
	"fmt"
	"slices"
	"time"

	"agentchat/internal/credit"
	"agentchat/internal/store/usage"
)

// total is the sum of a key in an interval.
type total struct{ messages, failed, credits, inTokens, cached, outTokens, cost, uncosted int64 }

// want computes the expected usage. Erased messages keep their details in whole quarters of an
// hour, but not at the ends of the range, which come from the ledger, and never from turns.
func (l *usageLab) want(q usage.Query) map[string]total {
	out := map[string]total{}
	fromTurns := q.Filter.UserID != nil || slices.Contains(q.SplitBy, credit.ByUser) ||
		slices.Contains(q.SplitBy, credit.ByVersion)
	first := q.Filter.From.Add(15*time.Minute - 1).Truncate(15 * time.Minute)
	last := q.Filter.To.Truncate(15 * time.Minute)
	var starts []time.Time
	if q.Interval != "" {
		var err error
		if starts, err = credit.UsageStarts(q.Filter.From, q.Filter.To, q.Interval, q.Zone); err != nil {
			l.Fatal(err)
		}
		if len(q.SplitBy) == 0 {
			for _, start := range starts {
				out[fmt.Sprint(start, credit.UsageID{})] = total{}
			}
		}
	} else if len(q.SplitBy) == 0 {
		out[fmt.Sprint(nil, credit.UsageID{})] = total{}
	}
	for _, c := range l.charges {
		known, answered := credit.UsageID{Agent: c.agent, Export: c.export, Model: c.model, Source: c.source, User: c.user, Version: c.version, Status: "answered"}, int64(1)
		if c.source == "TEST" { // no end user has sent it
			known.User = ""
		}
		if c.code != "" { // counts by its quarter, and from turns until it is erased
			known.Status, answered, c.at = c.code, 0, c.at.Truncate(15*time.Minute)
		}
		if c.at.Before(q.Filter.From) || !c.at.Before(q.Filter.To) || c.code != "" && fromTurns && c.erased {
			continue
		}
		if c.erased && c.code != "" {
			known.User = ""
		} else if c.erased {
			known.User = ""
			if fromTurns || c.at.Before(first) || !c.at.Before(last) {
				known.Model, known.Source, known.Version, c.inTokens, c.outTokens = "", "", 0, 0, 0
				c.cached, c.cost = nil, nil
			}
		}
		f := q.Filter
		if f.AgentID != nil && *f.AgentID != known.Agent || f.ExportID != nil && *f.ExportID != known.Export || f.Model != "" && f.Model != known.Model ||
			f.Source != "" && string(f.Source) != known.Source || f.UserID != nil && *f.UserID != known.User {
			continue
		}
		key := fmt.Sprint(nil, split(known, q.SplitBy))
		if q.Interval != "" {
			n, found := slices.BinarySearchFunc(starts, c.at, time.Time.Compare)
			if !found {
				n--
			}
			key = fmt.Sprint(starts[n], split(known, q.SplitBy))
		}
		sum := out[key]
		sum.messages, sum.failed, sum.credits = sum.messages+answered, sum.failed+1-answered, sum.credits+c.price
		sum.inTokens, sum.outTokens = sum.inTokens+c.inTokens, sum.outTokens+c.outTokens
		if c.cached != nil {
			sum.cached += *c.cached
		}
		if c.cost != nil {
			sum.cost += *c.cost
		} else {
			sum.uncosted++
		}
		out[key] = sum
	}
	return out
}

// split keeps the dimensions of a key that a query splits by.
func split(id credit.UsageID, by []credit.Dimension) (out credit.UsageID) {
	for _, d := range by {
		switch d {
		case credit.ByAgent:
			out.Agent = id.Agent
		case credit.ByExport:
			out.Export = id.Export
		case credit.ByModel:
			out.Model = id.Model
		case credit.BySource:
			out.Source = id.Source
		case credit.ByUser:
			out.User = id.User
		case credit.ByVersion:
			out.Version = id.Version
		case credit.ByStatus:
			out.Status = id.Status
		}
	}
	return out
}
