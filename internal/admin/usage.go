package admin

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"agentchat/internal/store/usage"
)

// ParseMoment reads a time in RFC 3339, or a day as YYYY-MM-DD for its start in UTC. The error's
// text continues the name of a parameter.
func ParseMoment(text string) (at time.Time, err error) {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err = time.Parse(layout, strings.ToUpper(text)); err == nil {
			return at, nil
		}
	}
	return at, fmt.Errorf("must be a day like 2026-01-31 or a moment like 2026-01-31T09:30:00Z, not %q", text)
}

// ParseDimensions reads names separated by commas; an empty text has none. The error's text
// continues the name of a parameter.
func ParseDimensions(text string, names ...usage.Dimension) (out []usage.Dimension, err error) {
	if text == "" {
		return nil, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		dimension := usage.Dimension(strings.TrimSpace(name))
		switch {
		case !slices.Contains(names, dimension):
			return nil, fmt.Errorf("must be some of %s, separated by commas, not %q", join(names), name)
		case slices.Contains(out, dimension):
			return nil, fmt.Errorf("names %s twice", name)
		}
		out = append(out, dimension)
	}
	return out, nil
}

func join(names []usage.Dimension) string {
	var texts []string
	for _, name := range names {
		texts = append(texts, string(name))
	}
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " and " + texts[last]
}

// UsageOf returns a row's values of the dimensions and its usage.
func UsageOf(row usage.AccountsUsageRow, by []usage.Dimension) map[string]any {
	out := map[string]any{"messages": row.Messages, "failed": row.Failed, "credits": row.Credits,
		"input_tokens": row.InputTokens, "output_tokens": row.OutputTokens}
	for _, dimension := range by {
		switch dimension {
		case usage.ByAccount:
			out["account"], out["email"] = row.Account, row.Email
		case usage.ByAgent:
			out["agent"], out["agent_name"] = row.Agent, row.AgentName
		case usage.ByModel:
			out["model"] = row.Model
		case usage.ByDay:
			out["day"] = row.Day.UTC().Format(time.DateOnly)
		}
	}
	return out
}

// usageQuery reads the parameters from, to and by.
func (ex *exchange) usageQuery(names ...usage.Dimension) (q usage.AccountsQuery, err error) {
	query := ex.R.URL.Query()
	if q.By, err = ParseDimensions(query.Get("by"), names...); err != nil {
		return q, invalid("by", "by "+err.Error()+".")
	}
	for _, p := range []struct {
		name string
		at   *time.Time
	}{{"from", &q.From}, {"to", &q.To}} {
		if *p.at, err = ParseMoment(query.Get(p.name)); err != nil {
			return q, invalid(p.name, p.name+" "+err.Error()+".")
		}
	}
	if !q.From.Before(q.To) {
		return q, invalid("to", "to must be after from: it is the first day or moment that does not count.")
	}
	return q, nil
}

// usage returns an account's usage in a period.
func (ex *exchange) usage() (any, error) {
	query, err := ex.usageQuery(usage.ByAgent, usage.ByModel, usage.ByDay)
	if err != nil {
		return nil, err
	}
	found, err := ex.account()
	if err != nil {
		return nil, err
	}
	query.Account = &found.ID
	rows, err := usage.On(ex.api.Store).AccountsUsage(ex.R.Context(), query)
	out := []map[string]any{}
	for _, row := range rows {
		out = append(out, UsageOf(row, query.By))
	}
	return map[string]any{"rows": out}, err
}
