package sources

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"agentchat/internal/knowledge"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/internal/db"
)

// maxVersionSources is the most sources that one statement lists. A source counts once for each
// version that has it.
const maxVersionSources = 25_000

// KnowledgeByVersions returns the sources of each version, oldest first, without their questions.
// Sources that were deleted later are missing. Fault: TextTooLong for more than maxVersionSources.
func (s Store) KnowledgeByVersions(
	ctx context.Context, accountID uuid.UUID, keys []agents.VersionNumber,
) (map[agents.VersionNumber][]knowledge.Source, error) {
	out := make(map[agents.VersionNumber][]knowledge.Source, len(keys))
	for _, k := range keys {
		out[k] = nil
	}
	agentList := db.Mapped(keys, func(k agents.VersionNumber) uuid.UUID { return k.AgentID })
	numbers := db.Mapped(keys, func(k agents.VersionNumber) int { return k.Number })
	found, err := s.sources(ctx, `SELECT`+strings.Replace(sourceColumns, "s.questions",
		"NULL::jsonb AS questions", 1)+`FROM`+SourceTable+`
		WHERE s.account_id = $1 AND s.agent_id = ANY($2::uuid[]) AND EXISTS (
			SELECT 1 FROM unnest($3::int[]) v(number) WHERE s.versions @> v.number) ORDER BY s.id LIMIT $4`,
		accountID, db.Texts(agentList), numbers, maxVersionSources+1)
	listed := 0
	for _, src := range found {
		for _, n := range src.InVersions {
			key := agents.VersionNumber{AgentID: src.AgentID, Number: n}
			if list, asked := out[key]; asked {
				out[key] = append(list, src)
				listed++
			}
		}
		if listed > maxVersionSources {
			return nil, db.TextsTooLong()
		}
	}
	if len(found) > maxVersionSources {
		return nil, db.TextsTooLong()
	}
	return out, err
}
