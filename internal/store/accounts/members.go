package accounts

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/users"
)

// maxMemberships is the largest number of accounts that a user can be a member of.
const maxMemberships = 100

// errNoOwner is the fault for a user who lost ownership after the request arrived.
var errNoOwner = fault.New(fault.Conflict, "You’re no longer an owner of this account.")

// LockMembers locks an account's memberships, which serializes changes of them, and returns the
// roles of its members. It does not lock the account's row, which chats need.
func (s Store) LockMembers(ctx context.Context, accountID uuid.UUID,
) (map[uuid.UUID]account.Role, error) {
	_, err := db.Exec(ctx, s.db,
		`SELECT FROM memberships WHERE account_id = $1 ORDER BY user_id FOR UPDATE`, accountID)
	if err != nil {
		return nil, err
	}
	type member struct {
		UserID uuid.UUID
		Role   account.Role
	}
	// Members who joined while this waited for the lock are not among the locked rows.
	found, err := db.All[member](ctx, s.db,
		`SELECT user_id, role FROM memberships WHERE account_id = $1`, accountID)
	out := make(map[uuid.UUID]account.Role, len(found))
	for _, m := range found {
		out[m.UserID] = m.Role
	}
	return out, err
}

// lockForOwner is LockMembers for a change by an owner. Fault: Conflict if by is no longer an
// owner.
func (s Store) lockForOwner(ctx context.Context, accountID, by uuid.UUID,
) (map[uuid.UUID]account.Role, error) {
	members, err := s.LockMembers(ctx, accountID)
	if err == nil && members[by] != account.Owner {
		err = errNoOwner
	}
	return members, err
}

// join makes a user, whom the caller has locked or inserted, a member of an account. Fault:
// Conflict past maxMemberships.
func (s Store) join(ctx context.Context, accountID, userID uuid.UUID, role account.Role) error {
	_, err := db.Exec(ctx, s.db,
		`INSERT INTO memberships (account_id, user_id, role, created_at) VALUES ($1, $2, $3, clock_timestamp())`,
		accountID, userID, string(role))
	if err != nil {
		return err
	}
	n, err := db.One[int](ctx, s.db, `SELECT count(*) FROM memberships WHERE user_id = $1`, userID)
	if err == nil && n > maxMemberships {
		err = fault.New(fault.Conflict, "A user can be a member of up to 100 accounts.")
	}
	if err == nil {
		err = s.notify(ctx, notifications.MemberAddedEvent, accountID, userID, role)
	}
	return err
}

// notify reports a change of a member to the account's webhooks.
func (s Store) notify(
	ctx context.Context, e notifications.Event, accountID, userID uuid.UUID, role account.Role,
) error {
	return notifications.On(s.db).NotifyWebhooks(ctx, e,
		notifications.EventData{AccountID: accountID, MemberID: &userID, Role: string(role)})
}

const memberColumns = ` m.user_id, u.name, u.email, m.role, m.created_at AS since, u.second_factor_at IS NOT NULL AS second_factor,
	(SELECT max(s.last_used_at) FROM sign_ins s WHERE s.user_id = m.user_id AND s.last_used_at >= m.created_at) AS last_seen_at
	FROM memberships m JOIN users u ON u.id = m.user_id `

// Members returns the members of an account in the order in which they joined.
func (s Store) Members(ctx context.Context, accountID uuid.UUID) ([]account.Member, error) {
	return db.All[account.Member](ctx, s.db,
		`SELECT`+memberColumns+`WHERE m.account_id = $1 ORDER BY m.created_at, m.user_id`, accountID)
}

// Memberships returns the accounts of a user, at most 100. The first is the one that a request
// without X-Account-Id uses.
func (s Store) Memberships(ctx context.Context, userID uuid.UUID) ([]account.Membership, error) {
	return db.All[account.Membership](ctx, s.db, `SELECT m.account_id, its.name AS account_name,
		its.credit_balance - its.credits_held AS account_credits_available, m.role, m.created_at AS since`+users.MembershipsOf("$1")+`
		ORDER BY`+users.ActiveFirst+`LIMIT $2`, userID, maxMemberships)
}

// MemberChange is a change of a member by an owner or by the member.
type MemberChange struct {
	AccountID, UserID uuid.UUID
	// By is the user who makes the change.
	By uuid.UUID
	// Notify sends a mail to the member, unless the member made the change.
	Notify bool
}

// SetMemberRole changes a member's role. A role below OWNER deletes the invitations that the member
// has sent. Faults: NotFound for a user who is not a member; Conflict for the last owner, and when
// By is no longer an owner.
func (s Store) SetMemberRole(ctx context.Context, in MemberChange, role account.Role,
) (account.Member, error) {
	var out account.Member
	err := s.changeMember(ctx, in, notifications.RoleChanged, func(tx *db.DB, before account.Role) (changed bool, err error) {
		if changed = before != role; changed {
			_, err = db.Exec(ctx, tx,
				`UPDATE memberships SET role = $3 WHERE account_id = $1 AND user_id = $2`,
				in.AccountID, in.UserID, string(role))
		}
		if err == nil && changed {
			err = On(tx).notify(ctx, notifications.MemberRoleChangedEvent, in.AccountID, in.UserID, role)
		}
		if err == nil && role != account.Owner {
			err = On(tx).endInvitationsOf(ctx, in)
		}
		if err == nil && changed {
			err = audit.On(tx).RecordIn(ctx, in.AccountID, in.UserID.String(), "role")
		}
		if err == nil {
			out, err = db.One[account.Member](ctx, tx,
				`SELECT`+memberColumns+`WHERE m.account_id = $1 AND m.user_id = $2`,
				in.AccountID, in.UserID)
		}
		return changed, err
	})
	return out, err
}

// RemoveMember ends a membership: the member's next request is refused. Agents, exports and keys
// stay and keep the name of their creator. With removeTokens, it deletes the account tokens that
// the member created. Faults: as for SetMemberRole.
func (s Store) RemoveMember(ctx context.Context, in MemberChange, removeTokens bool) error {
	return s.changeMember(ctx, in, notifications.MemberRemoved, func(tx *db.DB, before account.Role) (bool, error) {
		_, err := db.Exec(ctx, tx,
			`DELETE FROM memberships WHERE account_id = $1 AND user_id = $2`, in.AccountID, in.UserID)
		if err == nil {
			err = On(tx).notify(ctx, notifications.MemberRemovedEvent, in.AccountID, in.UserID, before)
		}
		if err == nil {
			err = On(tx).endInvitationsOf(ctx, in)
		}
		var fields []string
		if err == nil && removeTokens {
			var n int
			n, err = db.Exec(ctx, tx,
				`DELETE FROM account_tokens WHERE account_id = $1 AND created_by = $2`, in.AccountID, in.UserID)
			if n > 0 {
				fields = append(fields, "tokens")
			}
		}
		if err == nil {
			err = audit.On(tx).RecordIn(ctx, in.AccountID, in.UserID.String(), fields...)
		}
		return true, err
	})
}

// changeMember runs change on a member and checks that the account still has an owner.
func (s Store) changeMember(ctx context.Context, in MemberChange, notice notifications.Mail,
	change func(tx *db.DB, before account.Role) (changed bool, err error),
) error {
	leaving := in.By == in.UserID && notice == notifications.MemberRemoved
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		members, err := On(tx).LockMembers(ctx, in.AccountID)
		if err != nil {
			return err
		}
		before, member := members[in.UserID]
		switch {
		case !leaving && members[in.By] != account.Owner:
			return errNoOwner
		case !member:
			return fault.Wrap(fault.NotFound, nil)
		}
		changed, err := change(tx, before)
		if err == nil && before == account.Owner {
			err = On(tx).mustHaveOwner(ctx, in.AccountID)
		}
		if err == nil && changed && in.Notify && in.By != in.UserID {
			err = notifications.On(tx).InsertNotice(ctx, notice, in.UserID, in.AccountID)
		}
		return err
	})
}

// mustHaveOwner checks that an account has an owner, after a change of memberships that LockMembers
// has locked. Fault: Conflict.
func (s Store) mustHaveOwner(ctx context.Context, accountID uuid.UUID) error {
	roles, err := db.All[account.Role](ctx, s.db,
		`SELECT role FROM memberships WHERE account_id = $1`, accountID)
	if err == nil && !slices.Contains(roles, account.Owner) {
		err = fault.New(fault.Conflict,
			"An account needs at least one owner. Make another member an owner first.")
	}
	return err
}

// endInvitationsOf deletes the invitations to an account that a member has sent.
func (s Store) endInvitationsOf(ctx context.Context, in MemberChange) error {
	_, err := db.Exec(ctx, s.db,
		`DELETE FROM invitations WHERE account_id = $1 AND invited_by = $2`, in.AccountID, in.UserID)
	return err
}

// OpenAccount opens another account, without credits, that a user owns. Fault: Conflict past
// maxMemberships.
func (s Store) OpenAccount(ctx context.Context, userID uuid.UUID, name string,
) (account.Summary, error) {
	out := account.Summary{ID: uuid.Must(uuid.NewV7()), Name: name}
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		if err := users.LockUser(ctx, tx, userID); err != nil {
			return err
		}
		if err := On(tx).InsertEmptyAccount(ctx, out.ID, name); err != nil {
			return err
		}
		return On(tx).join(ctx, out.ID, userID, account.Owner)
	})
	return out, err
}

// InsertEmptyAccount inserts an account without members or credits, with its audit entry and its
// event, in the caller's transaction.
func (s Store) InsertEmptyAccount(ctx context.Context, id uuid.UUID, name string) error {
	_, err := db.Exec(ctx, s.db, `INSERT INTO accounts (id, name) VALUES ($1, $2)`, id, name)
	if err == nil {
		err = audit.On(s.db).RecordIn(ctx, id, id.String(), "name")
	}
	if err == nil {
		err = notifications.On(s.db).NotifyOperator(ctx, notifications.SignedUp,
			notifications.EventData{AccountID: id})
	}
	return err
}
