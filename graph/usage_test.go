package graph_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
)

const usageRows = `query($filter: UsageFilter!, $by: [UsageDimension!]!, $interval: UsageInterval, $zone: String) { viewer {
	usage(filter: $filter, groupBy: $by, interval: $interval, timeZone: $zone) { start agent { id name
	} agentName export { id } exportName
		model source userId version status rest messages failed refused credits inputTokens outputTokens
		durationP50Ms durationP95Ms firstTextP50Ms } } }`

// usageOf splits all use, so that nothing has no row.
const usageOf = `query($filter: UsageFilter!) { viewer { usage(filter: $filter, groupBy: [AGENT, EXPORT]) { messages } } }`

func TestUsage(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := uuid.MustParse(u.live(t))
	_, key := u.exported(t, agent)
	u.chat(t, key, "customer", "hello")
	for i := range 2 {
		u.try(t, agent, fmt.Sprint(i), "hello")
	}
	whole := vars{"from": "2026-01-01T00:00:00Z", "to": "2100-01-01T00:00:00Z"}
	const first = "viewer.usage.0."
	all := u.do(t, usageRows, vars{"filter": whole, "by": []string{}})
	all.wantValues(t, "in all", map[string]any{
		first + "start":       nil,
		first + "agentName":   nil,
		first + "messages":    3,
		first + "credits":     3,
		first + "inputTokens": 36,
		"viewer.usage.1":      nil,
	})
	whole["source"] = "API"
	split := vars{"filter": whole, "by": []string{"AGENT", "SOURCE", "MODEL", "STATUS", "EXPORT"}}
	u.do(t, usageRows, vars{"filter": whole, "by": []string{"VERSION"}}).
		wantFields(t, "by version without an agent", "filter.agentId missing")
	u.do(t, usageRows, split).wantValues(t, "split", map[string]any{
		first + "agent.id":   agent.String(),
		first + "exportName": "Export",
		first + "model":      "sandbox/assistant",
		first + "status":     "answered",
		first + "messages":   1,
	})
	at := func(ago time.Duration) string { return time.Now().Add(-ago).Format(time.RFC3339) }
	for source, want := range map[string]map[string]any{
		"API":        {first + "version": 1, first + "messages": 1},
		"PLAYGROUND": {first + "version": nil, first + "messages": 2},
	} {
		recent := vars{"agentId": agent, "source": source, "from": at(time.Hour), "to": at(-time.Hour)}
		u.do(t, usageRows, vars{"filter": recent, "by": []string{"VERSION"}}).
			wantValues(t, "by version, "+source, want)
	}
	// Names stay when the things are gone, and so does what they used.
	u.do(t, deleteAgent, vars{"id": agent}).wantNone(t, "deleteAgent")
	u.do(t, usageRows, split).wantValues(t, "of a deleted agent", map[string]any{
		first + "agent": nil, first + "agentName": "Shop", first + "credits": 1})
	day := vars{"from": "2026-03-28T23:00:00Z", "to": "2026-03-30T22:00:00Z"}
	days := vars{"filter": day, "by": []string{}, "interval": "DAY", "zone": "Europe/Berlin"}
	u.do(t, usageRows, days).
		wantValues(t, "a day of 23 hours", map[string]any{
			first + "start":        "2026-03-28T23:00:00Z",
			"viewer.usage.1.start": "2026-03-29T22:00:00Z",
			"viewer.usage.1.agent": nil,
			"viewer.usage.2":       nil,
		})
	for want, v := range map[string]vars{
		"to out_of_range":        {"filter": vars{"from": day["to"], "to": day["from"]}},
		"timeZone invalid_value": {"filter": day, "zone": "Mars/Olympus"},
		"filter.userId empty":    {"filter": vars{"from": day["from"], "to": day["to"], "userId": ""}},
	} {
		v["by"] = []string{}
		u.do(t, usageRows, v).wantFields(t, want, want)
	}
}
