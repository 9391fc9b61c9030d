package sources

import (
	"context"
	"fmt"
	"strings"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/store/internal/db"
)

// namedLost is how many of the sources that would be lost are named.
const namedLost = 10

// KeepKnowledge refuses to make a version the draft of an agent that the transaction has locked if
// sources would be lost by it: those that only the draft has. Fault: Conflict, which names them.
func (s Store) KeepKnowledge(ctx context.Context, a agent.Agent) error {
	lost, err := db.All[string](ctx, s.db, `SELECT s.name FROM knowledge_sources s
		WHERE s.agent_id = $1 AND `+InDraft+` AND isempty(`+leaveDraft+`)
			ORDER BY s.id`, a.ID, NextVersion(a))
	if err != nil || len(lost) == 0 {
		return err
	}
	names := "“" + strings.Join(lost[:min(len(lost), namedLost)], "”, “") + "”"
	if more := len(lost) - namedLost; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return fault.New(fault.Conflict, "Only the draft knows this, and it would be deleted for good: "+
		names+
		". Publish the draft first, or send this again with removeKnowledge.")
}
