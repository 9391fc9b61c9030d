package exports

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
)

// ReplaceKey gives an export a second key. Only its hash and hint are stored. The limits, counters,
// pin, name and history of the export stay. The old key stops at oldStopsAt, within
// apikey.MaxOverlap from now; without oldStopsAt it has stopped when ReplaceKey returns. Faults:
// NotFound; Conflict for a removed export, and for one that already has two keys; InvalidInput on
// oldKeyStopsAt.
func (s Store) ReplaceKey(
	ctx context.Context, accountID, exportID uuid.UUID, by *uuid.UUID, key apikey.Key,
	oldStopsAt *time.Time,
) (agent.Export, error) {
	return s.changeKeys(ctx, accountID, exportID,
		func(tx *db.DB, e agent.Export, keys []apikey.APIKey) error {
			if len(keys) > 1 {
				return fault.New(fault.Conflict, "This export already has two keys. Revoke one first.")
			}
			var err error
			// A message compares stops_at with the time of its arrival, and may have waited since then.
			if oldStopsAt == nil {
				_, err = db.Exec(ctx, tx, `UPDATE api_keys SET removed_at = clock_timestamp() WHERE id = $1`,
					keys[0].ID)
			} else {
				err = On(tx).setStop(ctx, keys[0].ID, *oldStopsAt, "oldKeyStopsAt")
			}
			if err != nil {
				return err
			}
			if err := On(tx).insertKey(ctx, e, key, by); err != nil {
				return err
			}
			return audit.On(tx).RecordIn(ctx, accountID, exportID.String())
		})
}

// StopKey stops one of an export's two keys. After it returns, no replica accepts that key. The
// other key stays, without a time to stop. Stopping a key twice is fine. Faults: NotFound; Conflict
// for the only key, and for a removed export.
func (s Store) StopKey(ctx context.Context, accountID, keyID uuid.UUID) (agent.Export, error) {
	return s.changeKey(ctx, accountID, keyID, func(tx *db.DB, keys []apikey.APIKey, place int) error {
		switch {
		case place < 0:
			return nil
		case len(keys) == 1:
			return fault.New(fault.Conflict,
				"This is the export’s only key. Replace it, or pause or remove the export.")
		}
		_, err := db.Exec(ctx, tx, `
			UPDATE api_keys SET removed_at = CASE id WHEN $1 THEN clock_timestamp() END, stops_at = NULL
				WHERE id IN ($1, $2)`,
			keyID, keys[1-place].ID)
		if err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, keyID.String())
	})
}

// SetKeyStop sets the time at which the older of an export's two keys stops, within
// apikey.MaxOverlap from now. Faults: NotFound; Conflict for every other key, and for a removed
// export; InvalidInput on stopsAt.
func (s Store) SetKeyStop(
	ctx context.Context, accountID, keyID uuid.UUID, stopsAt time.Time,
) (agent.Export, error) {
	return s.changeKey(ctx, accountID, keyID, func(tx *db.DB, keys []apikey.APIKey, place int) error {
		if place != 1 {
			return fault.New(fault.Conflict,
				"Only the older of two keys can have an expiry. Replace the key first.")
		}
		if err := On(tx).setStop(ctx, keyID, stopsAt, "stopsAt"); err != nil {
			return err
		}
		if before := keys[1].StopsAt; before != nil && before.Equal(stopsAt.Truncate(time.Microsecond)) {
			return nil
		}
		return audit.On(tx).RecordIn(ctx, accountID, keyID.String())
	})
}

// changeKey is changeKeys for one key. work gets the key's index among the keys that have not
// stopped, or -1.
func (s Store) changeKey(
	ctx context.Context, accountID, keyID uuid.UUID,
	work func(tx *db.DB, keys []apikey.APIKey, place int) error,
) (agent.Export, error) {
	exportID, err := db.One[uuid.UUID](ctx, s.db,
		`SELECT export_id FROM api_keys WHERE account_id = $1 AND id = $2`, accountID, keyID)
	if err != nil {
		return agent.Export{}, err
	}
	return s.changeKeys(ctx, accountID, exportID,
		func(tx *db.DB, _ agent.Export, keys []apikey.APIKey) error {
			return work(tx, keys, slices.IndexFunc(keys, func(k apikey.APIKey) bool { return k.ID == keyID }))
		})
}

// changeKeys runs work in a transaction that has locked the export. work gets the keys that have
// not stopped, newest first. A chat with one of them either began earlier or sees the change.
func (s Store) changeKeys(
	ctx context.Context, accountID, exportID uuid.UUID,
	work func(tx *db.DB, e agent.Export, keys []apikey.APIKey) error,
) (out agent.Export, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		if out, err = On(tx).lockExport(ctx, accountID, exportID); err != nil {
			return err
		}
		if out.RemovedAt != nil {
			return removedExport()
		}
		keys, err := On(tx).KeysByExports(ctx, accountID, []uuid.UUID{exportID})
		if err != nil {
			return err
		}
		return work(tx, out, keys[exportID])
	})
	return out, err
}

// setStop sets the time at which a key stops. Fault: InvalidInput on field.
func (s Store) setStop(ctx context.Context, keyID uuid.UUID, at time.Time, field string) error {
	_, err := db.One[uuid.UUID](ctx, s.db, `
		UPDATE api_keys SET stops_at = $2 WHERE id = $1 AND $2 > clock_timestamp()
			AND $2 <= clock_timestamp() + $3::interval RETURNING id`,
		keyID, at, apikey.MaxOverlap)
	if fault.Is(err, fault.NotFound) {
		return fault.Invalid(fault.Field{Path: field, Reason: fault.OutOfRange,
			Message: "The old key must expire within the next 30 days."})
	}
	return err
}
