package users

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
)

var errRefreshReused = errors.New("store: a refresh token was used again after its grace; its sign-in is ended")

// Rotation is a presented refresh token with its successor.
type Rotation struct {
	SignInID      uuid.UUID
	Generation    uint32
	Hash          [32]byte
	SuccessorHash [32]byte
}

// firstOfSignIn selects the user of the sign-in $1, with the user's first account AS a, if there is
// one.
var firstOfSignIn = ` (SELECT id AS sign_in, user_id AS who FROM sign_ins WHERE id = $1) mine
	LEFT JOIN accounts a ON a.id = ` + firstAccount("mine.who")

// RotateSignIn exchanges a sign-in's refresh token for its successor. Within RotationGrace of the
// exchange, the previous token returns the same successor and changes nothing. Any other token ends
// the sign-in and records the entry reused. Fault: Unauthorized, also when the sign-in was ended or
// has expired.
func (s Store) RotateSignIn(ctx context.Context, r Rotation, reused audit.Entry) (Opened, error) {
	out, err := db.One[Opened](ctx, s.db, `
		UPDATE sign_ins s SET generation = s.generation + 1, refresh_hash = $4, rotated_at = clock_timestamp(),
			last_used_at = clock_timestamp(), renew_before = least(s.expires_at, clock_timestamp() + $5::interval)
		FROM`+firstOfSignIn+`
		WHERE s.id = $1 AND s.generation = $2 AND s.refresh_hash = $3 AND mine.sign_in = s.id
			AND`+liveSignIn+`RETURNING`+AccountColumns+`,`+roleIn("s.user_id")+`, s.user_id, clock_timestamp() AS now, renew_before`,
		r.SignInID, r.Generation, r.Hash[:], r.SuccessorHash[:], SignInIdle)
	if fault.Is(err, fault.NotFound) {
		return s.rotateAgain(ctx, r, reused)
	}
	return out, err
}

// rotateAgain handles a refresh token that is not the current one. Generations only grow, so it
// cannot become current.
func (s Store) rotateAgain(ctx context.Context, r Rotation, reused audit.Entry) (Opened, error) {
	type row struct {
		Opened
		Ended bool
	}
	var again row
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		var err error
		again, err = db.One[row](ctx, tx, `
			UPDATE sign_ins s SET ended_at = CASE
				WHEN s.generation = $2::integer + 1 AND s.refresh_hash = $3 AND s.rotated_at > clock_timestamp() - $4::interval THEN NULL
				ELSE clock_timestamp() END
			FROM`+firstOfSignIn+`
			WHERE s.id = $1 AND mine.sign_in = s.id AND`+liveSignIn+`
			RETURNING`+AccountColumns+`,`+roleIn("s.user_id")+`, s.user_id, clock_timestamp() AS now, renew_before,
				ended_at IS NOT NULL AS ended`,
			r.SignInID, r.Generation, r.SuccessorHash[:], RotationGrace)
		if err != nil || !again.Ended {
			return err
		}
		reused.Subject = r.SignInID.String()
		return audit.On(tx).Record(ctx, reused, again.UserID)
	})
	if err == nil && again.Ended {
		err = fault.Wrap(fault.Unauthorized, errRefreshReused)
	}
	if err != nil {
		return Opened{}, Unauthorized(err)
	}
	return again.Opened, nil
}
