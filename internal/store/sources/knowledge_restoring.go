package sources

import (
	"context"
	"fmt"
	"strings"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/store/internal/db"
)

// namedLost is the number of lost sources that the error names.
const namedLost = 10

// KeepKnowledge checks that no source would be lost if a version became the draft of an agent that
// the transaction has locked. Sources that only the draft has would be lost. Fault: Conflict, which
// names them.
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
	return fault.New(fault.Conflict, "Only the draft uses this, so it would be deleted for good: "+
		names+
		". Publish the draft first, or send this again with removeKnowledge.")
}
