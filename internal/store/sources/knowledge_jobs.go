package sources

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store/internal/db"
)

const (
	// maxAttempts is the number of attempts to read a file.
	maxAttempts = 3
	// readingLease is the time that a reader has for a file. After it, the reader counts as lost.
	readingLease = 2 * time.Minute
	// afterLoss is the delay before a file whose reader was lost is read again: the machine may be out
	// of memory.
	afterLoss = 5 * time.Second
)

// lostReason explains the failure of a file whose readers were lost maxAttempts times.
const lostReason = "Reading the file was interrupted three times. Try again, or save it in another format."

// FileJob is a file that this process must read.
type FileJob struct {
	AccountID, AgentID uuid.UUID
	Name               string
	Content            []byte
	// Encoding is the owner's choice; empty if it is detected.
	Encoding string
	// Source is the number of the source. Attempts identifies this attempt: a later reader has a
	// higher one.
	Source   int32
	Attempts int16
}

// Lane selects the files that a reader takes.
type Lane struct {
	// Quick selects the small files, which do not wait for large ones.
	Quick bool
	// NoPDF leaves out PDFs, whose reader is not compiled yet.
	NoPDF bool
}

// ClaimFile claims the oldest file in a lane of the next account, in the order of account ids,
// starting after the given account and wrapping around. Accounts without a file being read come
// first. Its source is READING for at most two minutes. Then its reader counts as lost, and the file
// can be claimed again. Several replicas can claim files at once. Fault: NotFound when no file is
// waiting.
func (s Store) ClaimFile(ctx context.Context, lane Lane, after uuid.UUID) (FileJob, error) {
	for {
		job, err := s.nextFile(ctx, lane, after)
		if err != nil || job.Attempts <= maxAttempts {
			return job, err
		}
		if err := s.FailFile(ctx, job, lostReason, nil); err != nil && !fault.Is(err, fault.NotFound) {
			return job, err
		}
	}
}

func (s Store) nextFile(
	ctx context.Context, lane Lane, after uuid.UUID,
) (job FileJob, err error) {
	for _, busy := range []bool{false, true} {
		for _, from := range slices.Compact([]uuid.UUID{after, uuid.Nil}) {
			job, err = db.One[FileJob](ctx, s.db, claimFile, from, lane.Quick, lane.NoPDF, busy,
				readingLease.Seconds())
			if !fault.Is(err, fault.NotFound) {
				return job, err
			}
		}
	}
	return job, err
}

// waitingFile selects the files f of a lane that wait. Names are stored without spaces around them,
// so it finds the PDFs of knowledge.Extension.
const waitingFile = ` f.quick = $2 AND f.due_at <= clock_timestamp() AND NOT ($3 AND EXISTS (
	SELECT 1 FROM knowledge_sources p WHERE p.number = f.source AND p.name ILIKE '%.pdf')) `

// claimFile claims a file. $1 account to start after, $2 whether it is quick, $3 whether PDFs are
// left out, $4 whether its account may have another file that is being read, $5 seconds of the lease.
// It steps from account to account by the index, because an account can have many files.
const claimFile = `
	WITH RECURSIVE reading AS MATERIALIZED (
		SELECT f.account_id FROM knowledge_files f JOIN knowledge_sources s ON s.number = f.source
		WHERE f.due_at > statement_timestamp() AND s.state = 'READING'
	), turn AS (
		(SELECT f.account_id FROM knowledge_files f WHERE` + waitingFile + `AND f.account_id > $1
			ORDER BY f.account_id LIMIT 1)
		UNION ALL
		SELECT n.account_id FROM turn t CROSS JOIN LATERAL (
			SELECT f.account_id FROM knowledge_files f
			WHERE` + waitingFile + `AND f.account_id > t.account_id ORDER BY f.account_id LIMIT 1) n
		WHERE NOT $4 AND t.account_id IN (SELECT account_id FROM reading)
	), due AS MATERIALIZED (
		SELECT f.source FROM knowledge_files f WHERE` + waitingFile + `AND f.account_id >= (
			SELECT account_id FROM turn
			WHERE $4 OR account_id NOT IN (SELECT account_id FROM reading) LIMIT 1)
		ORDER BY f.account_id, f.source LIMIT 1 FOR UPDATE SKIP LOCKED
	), claimed AS (
		UPDATE knowledge_files f
			SET attempts = f.attempts + 1, due_at = clock_timestamp() + make_interval(secs => $5)
		FROM due WHERE f.source = due.source
		RETURNING f.source, f.attempts, f.content, f.encoding
	)
	UPDATE knowledge_sources s SET state = 'READING' FROM claimed c WHERE s.number = c.source
	RETURNING s.account_id, s.agent_id, s.name, s.number AS source, c.attempts, c.content,
		coalesce(c.encoding, '') AS encoding`

// ofJob selects the file f and the source s of a job whose claim still holds. $1 and $2 are its
// Source and Attempts.
const ofJob = ` s.number = $1 AND s.state = 'READING' AND f.source = s.number
	AND f.attempts = $2::smallint `

// FinishFile makes a file READY in the draft, with what was read from it, and drops the original. A
// duplicate text or an exceeded limit makes it FAILED instead. Fault: NotFound if the claim no longer
// holds: the file was deleted, or another reader has it.
func (s Store) FinishFile(ctx context.Context, job FileJob, read knowledge.FileText) error {
	in := NewKnowledge{Kind: knowledge.File, Name: job.Name, Text: read.Text,
		Passages: knowledge.Passages(read.Text, read.Pages > 0)}
	if read.Pages > 0 {
		in.Pages = &read.Pages
	}
	add := NewSource(job.AccountID, job.AgentID, in)
	_, err := s.changeKnowledge(ctx, job.AccountID, job.AgentID, func(tx *db.DB, next int) error {
		replaces, err := db.One[*uuid.UUID](ctx, tx,
			`SELECT f.replaces FROM knowledge_files f, knowledge_sources s
			WHERE`+ofJob+`FOR UPDATE OF f`, job.Source, job.Attempts)
		if err == nil && replaces != nil {
			_, err = On(tx).removeSources(ctx, job.AgentID, next, `s.id = $3`, *replaces)
		}
		if err == nil {
			err = On(tx).fileReady(ctx, add, read, job.Source, next)
		}
		return err
	})
	if refused, ok := errors.AsType[*fault.Error](err); ok && refused.Kind == fault.Conflict {
		return s.FailFile(ctx, job, refused.Message, nil)
	}
	return err
}

// fileReady makes a file READY in the draft of an agent that the transaction has locked. Fault:
// Conflict.
func (s Store) fileReady(
	ctx context.Context, in *AddedSource, read knowledge.FileText, number int32, next int,
) error {
	same, err := s.sameText(ctx, in.agentID, in.Hash)
	if err == nil && same != "" {
		err = fault.New(fault.Conflict, fmt.Sprintf("It has the same text as “%s”.", same))
	}
	if err == nil {
		err = s.room(ctx, in.accountID, in.agentID,
			knowledge.Use{Passages: len(in.Passages), Bytes: in.bytes})
	}
	if err != nil {
		return err
	}
	_, err = db.Exec(ctx, s.db, `
		WITH read AS (DELETE FROM knowledge_files WHERE source = $1)
		UPDATE knowledge_sources SET state = 'READY', versions = `+
		OpenRange+`, characters = length($3::text), text = $3::text,
			text_hash = $4::bytea, passage_count = $5::int, bytes = $6::bigint, pages = $7::int,
			encoding = nullif($8::text, ''), notes = $9::jsonb WHERE number = $1`,
		number, next, in.Text, in.Hash, len(in.Passages), in.bytes, in.Pages, read.Encoding,
		encodeNotes(read.Notes))
	if err == nil {
		in.number = number
		err = s.addParts(ctx, []*AddedSource{in})
	}
	if err == nil {
		err = s.CheckAccountsPassages(ctx, in.accountID)
	}
	return err
}

// encodeNotes returns notes as a JSON array.
func encodeNotes(notes []knowledge.Note) string {
	if len(notes) == 0 {
		return "[]"
	}
	out, _ := json.Marshal(notes) // strings and numbers
	return string(out)
}

// FailFile ends a job whose file could not be read. reason is a sentence for the owner, with notes
// on the file. The original stays, for a retry. Fault: NotFound if the claim no longer holds.
func (s Store) FailFile(
	ctx context.Context, job FileJob, reason string, notes []knowledge.Note,
) error {
	return s.endJob(ctx, job, `due_at = NULL, attempts = 0`, knowledge.Failed, &reason, notes)
}

// ReleaseFile gives up a claim without a result. With lost it counts as an attempt, and after
// maxAttempts the file has FAILED. Fault: NotFound if the claim no longer holds.
func (s Store) ReleaseFile(ctx context.Context, job FileJob, lost bool) error {
	switch {
	case lost && job.Attempts >= maxAttempts:
		return s.FailFile(ctx, job, lostReason, nil)
	case lost:
		later := fmt.Sprintf(`due_at = clock_timestamp() + interval '%d s'`, int(afterLoss.Seconds()))
		return s.endJob(ctx, job, later, knowledge.Waiting, nil, nil)
	}
	return s.endJob(ctx, job, `due_at = clock_timestamp(), attempts = f.attempts - 1`, knowledge.Waiting,
		nil, nil)
}

// MoveToSlowLane gives up a claim of a quick file that takes too much time or memory. It does not
// count as an attempt. Fault: NotFound if the claim no longer holds.
func (s Store) MoveToSlowLane(ctx context.Context, job FileJob) error {
	return s.endJob(ctx, job, `due_at = clock_timestamp(), attempts = f.attempts - 1, quick = false`,
		knowledge.Waiting, nil, nil)
}

func (s Store) endJob(
	ctx context.Context, job FileJob, file string, state knowledge.State, reason *string,
	notes []knowledge.Note,
) error {
	return db.MustChange(db.Exec(ctx, s.db, `
		WITH ended AS (UPDATE knowledge_files f SET `+file+` FROM knowledge_sources s
			WHERE`+ofJob+`RETURNING f.source)
		UPDATE knowledge_sources s SET state = $3, reason = $4, notes = $5::jsonb
			FROM ended WHERE s.number = ended.source`,
		job.Source, job.Attempts, state, reason, encodeNotes(notes)))
}
