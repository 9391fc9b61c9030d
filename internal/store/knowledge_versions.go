package store

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"agentchat/internal/knowledge"
)

// maxVersionSources is how many sources of versions one statement lists, each once for every version that has it.
const maxVersionSources = 25_000

// KnowledgeByVersions returns the sources that each version of an account's agents has, the oldest first, without those deleted since, and
// without their questions. Fault: TextTooLong for more than maxVersionSources.
func (s *Store) KnowledgeByVersions(ctx context.Context, accountID uuid.UUID, keys []VersionNumber,
) (map[VersionNumber][]knowledge.Source, error) {
	out := make(map[VersionNumber][]knowledge.Source, len(keys))
	for _, k := range keys {
		out[k] = nil
	}
	agents := mapped(keys, func(k VersionNumber) uuid.UUID { return k.AgentID })
	numbers := mapped(keys, func(k VersionNumber) int { return k.Number })
	found, err := s.sources(ctx, `SELECT`+strings.Replace(sourceColumns, "s.questions", "NULL::jsonb AS questions", 1)+`FROM`+sourceTable+`
		WHERE s.account_id = $1 AND s.agent_id = ANY($2::uuid[]) AND EXISTS (
			SELECT 1 FROM unnest($3::int[]) v(number) WHERE s.versions @> v.number) ORDER BY s.id LIMIT $4`,
		accountID, texts(agents), numbers, maxVersionSources+1)
	listed := 0
	for _, src := range found {
		for _, n := range src.InVersions {
			key := VersionNumber{src.AgentID, n}
			if list, asked := out[key]; asked {
				out[key] = append(list, src)
				listed++
			}
		}
		if listed > maxVersionSources {
			return nil, TextsTooLong()
		}
	}
	if len(found) > maxVersionSources {
		return nil, TextsTooLong()
	}
	return out, err
}
