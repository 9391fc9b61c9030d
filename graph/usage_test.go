package graph_test

import (
	"fmt"
	"testing"
	"time"
)

const usageRows = `query($filter: UsageFilter!, $by: [UsageDimension!]!, $interval: UsageInterval, $zone: String) { viewer {
	usage(filter: $filter, groupBy: $by, interval: $interval, timeZone: $zone) { start agent { id name
	} agentName export { id } exportName
		model source userId status rest messages failed refused credits inputTokens outputTokens
		durationP50Ms durationP95Ms firstTextP50Ms } } }`

// usageOf splits all use, so that nothing has no row.
const usageOf = `query($filter: UsageFilter!) { viewer { usage(filter: $filter, groupBy: [AGENT, EXPORT]) { messages } } }`

func TestUsage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, stranger := signedIn(t, b), signedIn(t, b)
	agent := u.world(t)["agent"] // has one charge in the playground
	_, key := u.exported(t, agent)
	u.chat(t, key, "customer", "hello")
	for i := range 2 {
		u.try(t, agent, fmt.Sprint(i), "hello")
	}
	stranger.world(t)
	now := time.Now().UTC()
	whole := vars{"from": now.Add(-time.Hour).Format(time.RFC3339), "to": now.Add(time.Hour).Format(time.RFC3339)}
	u.do(t, usageRows, vars{"filter": whole, "by": []string{}}).wantNone(t, "in all").wantValues(t, "in all", map[string]any{
		"viewer.usage.0.start": nil, "viewer.usage.0.agent": nil, "viewer.usage.0.agentName": nil, "viewer.usage.0.status": nil,
		"viewer.usage.0.messages": 4, "viewer.usage.0.credits": 4, "viewer.usage.0.inputTokens": 48,
		"viewer.usage.0.outputTokens": 12,
		"viewer.usage.0.rest":         false, "viewer.usage.0.refused": 0, "viewer.usage.1": nil})
	split := u.do(t, usageRows, vars{"filter": whole, "by": []string{
		"AGENT", "SOURCE", "MODEL", "STATUS", "EXPORT"}}).wantNone(t, "split")
	if split.list("viewer.usage") != 2 {
		t.Fatalf("%d rows", split.list("viewer.usage"))
	}
	found := map[any]bool{}
	for i := range 2 {
		row := fmt.Sprintf("viewer.usage.%d.", i)
		source := split.get(row + "source")
		found[source] = true
		messages, export := 3, any(nil)
		if source == "API" {
			messages, export = 1, "Export"
		}
		split.wantValues(t, fmt.Sprint(source), map[string]any{row + "agent.id": agent.String(), row + "agentName": "Shop",
			row + "exportName": export, row + "model": "sandbox/assistant", row + "status": "answered", row + "messages": messages})
	}
	if !found["API"] || !found["PLAYGROUND"] {
		t.Errorf("sources: %v", found)
	}
	// Names stay when the things are gone, and so does what they used.
	u.do(t, `mutation($id: ID!) { deleteAgent(input: {id: $id}) { deletedAgentId } }`, vars{
		"id": agent}).wantNone(t, "deleteAgent")
	u.do(t, usageRows, vars{"filter": whole, "by": []string{"AGENT"}}).wantValues(t, "of a deleted agent", map[string]any{
		"viewer.usage.0.agent": nil, "viewer.usage.0.agentName": "Shop", "viewer.usage.0.credits": 4, "viewer.usage.1": nil})
	day := vars{"from": "2026-03-28T23:00:00Z", "to": "2026-03-30T22:00:00Z"}
	u.do(t, usageRows, vars{
		"filter":   vars{"from": "2026-03-28T12:00:00Z", "to": "2026-03-30T12:00:00Z"},
		"by":       []string{},
		"interval": "DAY",
		"zone":     "Europe/Berlin",
	}).wantValues(t, "a day of 23 hours", map[string]any{
		"viewer.usage.0.start":    "2026-03-27T23:00:00Z",
		"viewer.usage.1.start":    "2026-03-28T23:00:00Z",
		"viewer.usage.2.start":    "2026-03-29T22:00:00Z",
		"viewer.usage.2.messages": 0,
		"viewer.usage.3":          nil,
	})
	for what, c := range map[string]struct {
		v    vars
		want string
	}{
		"the wrong way": {vars{"filter": vars{"from": day["to"], "to": day["from"]}, "by": []string{}}, "to out_of_range"},
		"too many": {vars{"filter": vars{"from": "2020-01-01T00:00:00Z", "to": day["to"]},
			"by": []string{}, "interval": "HOUR"}, "to out_of_range"},
		"the machine's":   {vars{"filter": day, "by": []string{}, "zone": "Local"}, "timeZone invalid_value"},
		"an unknown zone": {vars{"filter": day, "by": []string{}, "zone": "Mars/Olympus"}, "timeZone invalid_value"},
		"an empty user": {vars{"filter": vars{"from": day["from"], "to": day["to"], "userId": ""},
			"by": []string{}}, "filter.userId empty"},
	} {
		u.do(t, usageRows, c.v).wantFields(t, what, c.want)
	}
}
