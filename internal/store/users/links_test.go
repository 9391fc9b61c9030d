package users_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/users"
)

// lifetimes has the lifetime of each purpose's links.
var lifetimes = map[notifications.Mail]time.Duration{
	toSignUp: time.Hour,
	toVerify: time.Hour,
	toChange: time.Hour,
	toReset:  time.Hour,
	toUndo:   7 * 24 * time.Hour,
}

// mailTo returns the address that a link of a purpose goes to.
func (o owner) mailTo(purpose notifications.Mail) string {
	if purpose == toVerify || purpose == toReset {
		return o.email
	}
	return address()
}

// TestALinkWorksOnce checks that a link works for its purpose, for its user, within its lifetime
// after the mail is sent, and once for all tries of the mail.
func TestALinkWorksOnce(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	other := newOwner(t, s)
	for purpose, lifetime := range lifetimes {
		o := newOwner(t, s)
		to := o.mailTo(purpose)
		expired := o.link(t, purpose, to)
		o.age(t, lifetime)
		wantKind(t, string(purpose)+", expired", o.use(t, purpose, expired), fault.NotFound)

		o.request(t, purpose, to)
		o.age(t, 23*time.Hour) // an outage of the mail server
		tries := [][32]byte{o.handedOver(t, purpose, to), o.handedOver(t, purpose, to)}
		o.age(t, lifetime-time.Minute)
		for _, as := range []notifications.Mail{toSignUp, toChange, toReset, toUndo} {
			if as == purpose || as == toChange && purpose == toVerify { // one function takes both
				continue
			}
			wantKind(t, string(purpose)+" as "+string(as), o.use(t, as, tries[0]), fault.NotFound)
		}
		for _, as := range []notifications.Mail{toVerify, toReset} {
			wantKind(t, "another user's "+string(purpose), other.use(t, as, tries[0]), fault.NotFound)
		}
		racing := make(chan [32]byte, 4)
		for i := range cap(racing) {
			racing <- tries[i%2]
		}
		n := storetest.AtOnce(t, cap(racing), fault.NotFound, func() error {
			return o.use(t, purpose, <-racing)
		})
		if n != 1 {
			t.Errorf("%s: the link worked %d times", purpose, n)
		}
	}
}

// TestANewerLinkVoidsTheOlder also checks that sign-ups of one address do not void each other until
// one of them opens the account.
func TestANewerLinkVoidsTheOlder(t *testing.T) {
	t.Parallel()
	o := newOwner(t, storetest.New(t))
	for _, purpose := range []notifications.Mail{toVerify, toChange, toReset} {
		older := o.link(t, purpose, o.email)
		newer := o.link(t, purpose, o.email)
		wantKind(t, "the older "+string(purpose), o.use(t, purpose, older), fault.NotFound)
		if _, err := users.On(o.s).Link(t.Context(), newer); err != nil {
			t.Errorf("the newer %s: %v", purpose, err)
		}
	}
	to := address()
	own, strangers := o.link(t, toSignUp, to), o.link(t, toSignUp, to)
	wantNone(t, "the older sign-up", o.use(t, toSignUp, own))
	wantKind(t, "the newer sign-up", o.use(t, toSignUp, strangers), fault.NotFound)
}

// TestResetMails checks which mails get a link, and that a link of the operator replaces them.
func TestResetMails(t *testing.T) {
	t.Parallel()
	o := newOwner(t, storetest.New(t))
	get := func(to string) error { return storetest.ErrOnly(o.handOver(t, toReset, to)) }
	unknown := address()
	o.request(t, toReset, unknown)
	wantKind(t, "an unknown address", get(unknown), fault.NotFound)
	mailed := o.link(t, toReset, o.email)
	storetest.Exec(t, o.s, `INSERT INTO outbox (id, kind, message, address)
		VALUES ($1, 'MAIL', 'PASSWORD_RESET', $2)`, uuid.Nil, o.email)
	wantKind(t, "a mail that a newer one replaces", get(o.email), fault.NotFound)
	o.request(t, toReset, o.email)
	o.age(t, 24*time.Hour)
	wantKind(t, "a day later", get(o.email), fault.NotFound)
	o.age(t, -24*time.Hour)

	byHand := [2][32]byte{{1}, {2}}
	for _, hash := range byHand {
		wantNone(t, "by hand", users.On(o.s).ResetByHand(t.Context(), o.email, hash, storetest.ByUser))
	}
	wantKind(t, "the mailed link", o.use(t, toReset, mailed), fault.NotFound)
	wantKind(t, "an earlier link by hand", o.use(t, toReset, byHand[0]), fault.NotFound)
	const mails = `SELECT count(*) FROM outbox WHERE address = $1`
	if n := storetest.CountRows(t, o.s, mails, o.email); n > 0 {
		t.Errorf("%d mails that would carry a link are left", n)
	}
	wantNone(t, "the link by hand", o.use(t, toReset, byHand[1]))
	err := users.On(o.s).ResetByHand(t.Context(), unknown, byHand[0], storetest.ByUser)
	wantKind(t, "by hand, for an unknown address", err, fault.NotFound)
}

// TestWhatAChangeEnds checks which links and sign-ins of a user a change of the user ends.
func TestWhatAChangeEnds(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for what, c := range map[string]struct {
		do func(o owner, l links) error
		// stay are the purposes whose links stay. signIns is the number of sign-ins that stay: with 1,
		// the one that made the change.
		stay    []notifications.Mail
		signIns int
	}{
		"the address is verified": {
			func(o owner, l links) error { return o.use(t, toVerify, l[toVerify]) },
			[]notifications.Mail{toChange, toReset, toUndo}, 2,
		},
		"a link changes the address": {
			func(o owner, l links) error { return o.use(t, toChange, l[toChange]) },
			[]notifications.Mail{toUndo}, 1,
		},
		"the address changes without a link": {
			func(o owner, _ links) error { return o.change(t, address()) },
			[]notifications.Mail{toUndo}, 1,
		},
		"the user changes the password": {
			func(o owner, _ links) error {
				in := users.PasswordChange{VerifiedHash: "none", NewHash: "new"}
				return users.On(s).SetPasswordAndEndOthers(t.Context(), o.id, o.current, in, storetest.ByUser)
			},
			[]notifications.Mail{toUndo}, 1,
		},
		"the operator changes the password": {
			func(o owner, _ links) error {
				return users.On(s).SetPasswordHash(t.Context(), o.id, "new", storetest.ByUser)
			},
			[]notifications.Mail{toUndo}, 0,
		},
		"the password is reset": {
			func(o owner, l links) error { return o.use(t, toReset, l[toReset]) },
			[]notifications.Mail{toUndo}, 0,
		},
		"the address is restored": {
			func(o owner, l links) error { return o.use(t, toUndo, l[toUndo]) },
			nil, 0,
		},
		"a second factor is set up": {
			func(o owner, _ links) error {
				o.setUp(t)
				return nil
			},
			[]notifications.Mail{toVerify, toChange, toReset, toUndo}, 1,
		},
		"the operator clears the second factor": {
			func(o owner, _ links) error {
				err := users.On(s).ClearSecondFactor(t.Context(), o.id, storetest.ByUser)
				wantKind(t, "clearing no factor", err, fault.NotFound)
				o.setUp(t)
				return users.On(s).ClearSecondFactor(t.Context(), o.id, storetest.ByUser)
			},
			[]notifications.Mail{toVerify, toChange, toReset, toUndo}, 0,
		},
	} {
		o, tokens := newOwner(t, s), links{}
		for _, purpose := range []notifications.Mail{toVerify, toChange, toReset, toUndo} {
			tokens[purpose] = o.link(t, purpose, o.mailTo(purpose))
		}
		wantNone(t, what, c.do(o, tokens))
		for purpose, token := range tokens {
			_, err := users.On(s).Link(t.Context(), token)
			if stays := err == nil; stays != slices.Contains(c.stay, purpose) {
				t.Errorf("%s: the link of %s stays: %v", what, purpose, stays)
			}
		}
		current := storetest.SignInWorks(t, s, o.id, o.current)
		other := storetest.SignInWorks(t, s, o.id, o.other)
		if current != (c.signIns > 0) || other != (c.signIns > 1) {
			t.Errorf("%s: the sign-in works: %v, the other one: %v", what, current, other)
		}
	}
}

func TestPurgeLinks(t *testing.T) {
	t.Parallel()
	o := newOwner(t, storetest.New(t))
	o.link(t, toVerify, o.email)
	o.age(t, 24*time.Hour)
	o.link(t, toChange, address())
	for _, want := range []int{1, 1, 0} { // the reserved link and the token of its mail
		if n, err := users.On(o.s).PurgeLinks(t.Context(), 1); n != want || err != nil {
			t.Errorf("purged %d, %v, want %d", n, err, want)
		}
	}
}
