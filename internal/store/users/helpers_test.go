package users_test

import (
	"crypto/sha256"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/users"
)

// The purposes of links, which are named after their mails.
const (
	toSignUp = notifications.SignUpLink
	toVerify = notifications.VerifyAddress
	toChange = notifications.ChangeAddress
	toReset  = notifications.PasswordReset
	toUndo   = notifications.UndoChange
)

// links has the hash of a token for each purpose.
type links map[notifications.Mail][32]byte

// owner is a user who owns an account and has two sign-ins.
type owner struct {
	s              *store.DB
	id             uuid.UUID
	account        uuid.UUID
	email          string
	current, other uuid.UUID
}

func newOwner(t *testing.T, s *store.DB) owner {
	t.Helper()
	a := storetest.Seed(t, s, storetest.Options{}).Account
	return owner{
		s:       s,
		id:      a.OwnerID,
		account: a.ID,
		email:   a.Email,
		current: storetest.SignIn(t, s, a.OwnerID),
		other:   storetest.SignIn(t, s, a.OwnerID),
	}
}

// address returns an unused address.
func address() string { return uuid.NewString() + "@example.com" }

// request queues a mail with a link of a purpose to an address.
func (o owner) request(t *testing.T, purpose notifications.Mail, to string) {
	t.Helper()
	link := users.Link{Purpose: purpose, UserID: o.id, Email: to}
	var err error
	switch purpose {
	case toReset:
		err = notifications.On(o.s).QueueMail(t.Context(), purpose, to)
	case toSignUp:
		link.UserID, link.Name, link.PasswordHash = uuid.Nil, "Grace", "none"
		fallthrough
	default:
		err = users.On(o.s).QueueLink(t.Context(), link)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// handOver stores a token for a try of the newest mail of a purpose to an address, as the mail
// worker does, and returns its hash. Fault: Conflict if the mail gets no link.
func (o owner) handOver(t *testing.T, purpose notifications.Mail, to string) ([32]byte, error) {
	t.Helper()
	mail := notifications.Outgoing{Message: purpose, Address: to}
	row := o.s.SQL().QueryRowContext(t.Context(), `SELECT id, tries FROM outbox
		WHERE message = $1 AND address = $2 ORDER BY id DESC LIMIT 1`, string(purpose), to)
	if err := row.Scan(&mail.ID, &mail.Tries); err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256([]byte(uuid.NewString()))
	if purpose == toReset {
		return hash, users.On(o.s).ResetForMail(t.Context(), mail, hash)
	}
	free, err := users.On(o.s).LinkForMail(t.Context(), mail, hash)
	if err == nil && !free {
		err = fault.Wrap(fault.Conflict, nil)
	}
	return hash, err
}

// handedOver is handOver for a mail that gets a link.
func (o owner) handedOver(t *testing.T, purpose notifications.Mail, to string) [32]byte {
	t.Helper()
	token, err := o.handOver(t, purpose, to)
	if err != nil {
		t.Fatalf("%s: %v", purpose, err)
	}
	return token
}

// link requests a link and returns the hash of its token.
func (o owner) link(t *testing.T, purpose notifications.Mail, to string) [32]byte {
	t.Helper()
	o.request(t, purpose, to)
	return o.handedOver(t, purpose, to)
}

// use uses a token up as a link of a purpose.
func (o owner) use(t *testing.T, purpose notifications.Mail, token [32]byte) error {
	t.Helper()
	switch purpose {
	case toReset:
		return storetest.ErrOnly(o.reset(t, token))
	case toSignUp:
		return accounts.On(o.s).OpenSignUp(t.Context(), token, 20, storetest.ByUser)
	case toUndo:
		return users.On(o.s).UndoChange(t.Context(), token, "void", true, storetest.ByUser)
	default:
		return users.On(o.s).VerifyAddress(t.Context(), o.id, o.current, token, storetest.ByUser)
	}
}

func (o owner) reset(t *testing.T, token [32]byte) (*users.LeftBehind, error) {
	t.Helper()
	return users.On(o.s).ResetPassword(t.Context(), users.Reset{
		UserID:       o.id,
		Token:        token,
		PasswordHash: "reset",
		Notify:       true,
		Guesses:      [][32]byte{guesses},
		By:           storetest.ByUser,
	})
}

// guesses is the key of the wrong passwords that a reset clears.
var guesses = [32]byte{1}

// move changes the address by a link and returns the token that restores the former one.
func (o owner) move(t *testing.T, to string) (undo [32]byte) {
	t.Helper()
	from := o.user(t).Email
	wantNone(t, "a change of address",
		o.use(t, toChange, o.link(t, toChange, to)))
	return o.handedOver(t, toUndo, from)
}

// change changes the address without a link.
func (o owner) change(t *testing.T, to string) error {
	t.Helper()
	return users.On(o.s).ChangeAddress(t.Context(), o.id, o.current, "none", to, storetest.ByUser)
}

// age moves all links and mails into the past.
func (o owner) age(t *testing.T, by time.Duration) {
	t.Helper()
	storetest.Exec(t, o.s, `UPDATE links SET expires_at = expires_at - $1::interval`, by.String())
	storetest.Exec(t, o.s, `UPDATE outbox SET created_at = created_at - $1::interval`, by.String())
}

// row holds the columns of a user that links change.
type row struct {
	Email    string
	Verified bool
	Password string
	Factor   bool
}

func (o owner) user(t *testing.T) (r row) {
	t.Helper()
	err := o.s.SQL().QueryRowContext(t.Context(), `
		SELECT email, email_verified_at IS NOT NULL, password_hash, second_factor_at IS NOT NULL
		FROM users WHERE id = $1`, o.id).Scan(&r.Email, &r.Verified, &r.Password, &r.Factor)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (o owner) wantUser(t *testing.T, what string, want row) {
	t.Helper()
	if got := o.user(t); got != want {
		t.Errorf("%s: the user is %+v, want %+v", what, got, want)
	}
}

func wantKind(t *testing.T, what string, err error, want fault.Kind) {
	t.Helper()
	if !fault.Is(err, want) {
		t.Errorf("%s: %v, want %s", what, err, want)
	}
}

func wantNone(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}
