package sources

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
)

// NewFile describes a file whose text will be extracted.
type NewFile struct {
	Name    string
	Content []byte
	// Encoding is the owner's choice; nil if it is detected.
	Encoding *string
	// By is the user who adds the file.
	By *uuid.UUID
}

// AddFile adds a file to an agent's draft. The file waits for a reader. No version has it before it
// is READY. Faults: NotFound; Conflict for an exceeded limit.
func (s Store) AddFile(
	ctx context.Context, accountID, agentID uuid.UUID, in NewFile,
) (out knowledge.Source, err error) {
	_, err = s.changeKnowledge(ctx, accountID, agentID, func(tx *db.DB, _ int) error {
		if out, err = On(tx).addFile(ctx, accountID, agentID, in, nil, 1); err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, out.ID.String())
	})
	if err == nil {
		db.FileAdded(s.db)
	}
	return out, err
}

// ReplaceWithFile adds a file that replaces a source of the draft once the file is READY. Until
// then the draft keeps the old source if that is READY. An earlier replacement that still waits is
// deleted. Faults: NotFound; Conflict for a source that the draft does not have; those of AddFile.
func (s Store) ReplaceWithFile(
	ctx context.Context, accountID, id uuid.UUID, in NewFile,
) (out knowledge.Source, err error) {
	agentID, err := s.agentOfSource(ctx, accountID, id)
	if err != nil {
		return out, err
	}
	_, err = s.changeKnowledge(ctx, accountID, agentID, func(tx *db.DB, _ int) error {
		old, err := On(tx).source(ctx, accountID, id)
		if err == nil && !old.InDraft {
			err = onlyEarlier()
		}
		if err != nil {
			return err
		}
		replaces, more := &id, 1
		if old.State == knowledge.Ready && len(old.InVersions) == 0 {
			more = 0 // the old one will be deleted
		}
		gone := `s.state <> 'READY' AND EXISTS (SELECT 1 FROM knowledge_files f WHERE f.source = s.number
			AND f.replaces = $2)`
		if old.State != knowledge.Ready {
			replaces, err = db.One[*uuid.UUID](ctx, tx, `SELECT f.replaces FROM knowledge_files f
				JOIN knowledge_sources s ON s.number = f.source WHERE s.id = $1`, id)
			gone = `s.id = $2`
		}
		if err == nil {
			_, err = On(tx).DeleteSources(ctx, agentID, gone, id)
		}
		if err == nil {
			out, err = On(tx).addFile(ctx, accountID, agentID, in, replaces, more)
		}
		if err == nil {
			err = audit.On(tx).RecordIn(ctx, accountID, id.String())
		}
		return err
	})
	if err == nil {
		db.FileAdded(s.db)
	}
	return out, err
}

// onlyEarlier returns the Conflict for replacing a source that the draft does not have.
func onlyEarlier() error {
	return fault.New(fault.Conflict, "Only older versions use this source. Add a new one instead.")
}

// addFile adds a file to the draft of an agent that the transaction has locked. more is the number
// of sources that it counts as.
func (s Store) addFile(
	ctx context.Context, accountID, agentID uuid.UUID, in NewFile, replaces *uuid.UUID, more int,
) (knowledge.Source, error) {
	var none knowledge.Source
	if err := s.room(ctx, accountID, agentID, knowledge.Use{Sources: more}); err != nil {
		return none, err
	}
	id, err := db.One[uuid.UUID](ctx, s.db, `
		WITH source AS (
			INSERT INTO knowledge_sources (id, created_at, account_id, agent_id, kind, name, state, size,
				created_by)
			SELECT `+db.NewID+`, n.now, $1::uuid, $2::uuid, $3::text, $4::text, $5::text, length($6::bytea),
				$7::uuid FROM`+db.DatabaseTime+`
			RETURNING id, number
		), file AS (
			INSERT INTO knowledge_files (source, account_id, content, replaces, encoding, quick)
				SELECT number, $1::uuid, $6::bytea, $8::uuid, $9::text, $10::bool FROM source
		)
		SELECT id FROM source`, accountID, agentID, knowledge.File, in.Name, knowledge.Waiting,
		in.Content, in.By, replaces, in.Encoding, knowledge.IsQuick(in.Name, len(in.Content)))
	if err != nil {
		return none, err
	}
	unread, err := s.SumOfAccount(ctx, `SELECT coalesce(sum(s.size), 0) FROM knowledge_files f
		JOIN knowledge_sources s ON s.number = f.source WHERE f.account_id = $1`, accountID)
	if err == nil && unread > knowledge.MaxUnread {
		err = fault.New(fault.Conflict,
			"Waiting and failed files of an account can have 256 MB together. "+
				"Wait until some have been read, or delete failed ones.")
	}
	if err != nil {
		return none, err
	}
	return s.source(ctx, accountID, id)
}

// RetryFile queues a file that has FAILED again. With choose, encoding replaces the owner's choice;
// nil detects it. Faults: NotFound; Conflict for a source that has
// not failed.
func (s Store) RetryFile(
	ctx context.Context, accountID, id uuid.UUID, choose bool, encoding *string,
) (out knowledge.Source, err error) {
	agentID, err := s.agentOfSource(ctx, accountID, id)
	if err != nil {
		return out, err
	}
	err = db.InTx(ctx, s.db, func(tx *db.DB) error { // the draft does not change
		if _, err := agents.On(tx).LockAgent(ctx, accountID, agentID); err != nil {
			return err
		}
		n, err := db.Exec(ctx, tx, `
			WITH file AS (
				UPDATE knowledge_files f SET due_at = clock_timestamp(),
					encoding = CASE WHEN $2 THEN $3::text ELSE f.encoding END
				FROM knowledge_sources s WHERE s.id = $1 AND s.state = 'FAILED' AND f.source = s.number
				RETURNING f.source
			)
			UPDATE knowledge_sources s SET state = 'WAITING', reason = NULL, notes = '[]' FROM file
				WHERE s.number = file.source`, id, choose, encoding)
		if err == nil {
			out, err = On(tx).source(ctx, accountID, id) // NotFound if it was deleted meanwhile
		}
		if err == nil && n == 0 {
			err = fault.New(fault.Conflict, "Only failed sources can be retried.")
		}
		if err == nil {
			err = audit.On(tx).RecordIn(ctx, accountID, id.String())
		}
		return err
	})
	if err == nil {
		db.FileAdded(s.db)
	}
	return out, err
}

// UnpublishedKnowledge returns the sources of an agent's draft that a version does not have, oldest
// first.
func (s Store) UnpublishedKnowledge(
	ctx context.Context, accountID, agentID uuid.UUID, version int,
) ([]knowledge.Source, error) {
	return s.sources(ctx, `SELECT`+sourceColumns+`FROM`+SourceTable+`
		WHERE s.account_id = $1 AND s.agent_id = $2 AND `+InDraft+` AND NOT s.versions @> $3::int
			ORDER BY s.id`,
		accountID, agentID, version)
}
