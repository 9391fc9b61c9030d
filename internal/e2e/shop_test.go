package e2e_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/accounts"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestShop runs the example shop between the service and a fake Stripe, which sends events twice,
// at once, late, in the wrong order, forged and about other sales. Each payment is granted once,
// and the credits of each refund are taken back once.
func TestShop(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	b := newShop(t)
	t.Run("events", func(t *testing.T) {
		for name, try := range map[string]func(*shop){
			"from the panel":        (*shop).fromThePanel,
			"often and at once":     (*shop).oftenAndAtOnce,
			"paid later":            (*shop).paidLater,
			"signatures":            (*shop).signatures,
			"prices":                (*shop).prices,
			"tokens":                (*shop).tokens,
			"two accounts":          (*shop).twoAccounts,
			"refund before payment": (*shop).refundFirst,
			"partial refunds":       (*shop).partialRefunds,
			"spent":                 (*shop).spent,
			"deleted":               (*shop).deleted,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				own := *b
				own.T = t
				try(&own)
			})
		}
	})
	storetest.Audit(t, b.store)
}

// opened opens an account with 100 credits.
func (s *shop) opened() uuid.UUID {
	s.Helper()
	return storetest.Seed(s, s.store, storetest.Options{Credits: 100}).Account.ID
}

// bought starts a session in which an account pays for the small pack of 1,000 credits.
func (s *shop) bought(account uuid.UUID) *session {
	s.Helper()
	link := token(account, shopSecret, time.Now())
	answer := s.post("/buy", url.Values{"token": {link}, "pack": {"small"}})
	if answer.StatusCode != http.StatusSeeOther {
		s.Fatalf("buying is answered with %s", answer.Status)
	}
	return s.stripe.session(answer.Header.Get("Location"))
}

// wantBalance checks an account's balance.
func (s *shop) wantBalance(say string, id uuid.UUID, want int64) {
	s.Helper()
	if found, err := accounts.On(s.store).Account(s.Context(), id); err != nil || found.CreditBalance != want {
		s.Errorf("%s: the balance is %d, want %d (%v)\n%s",
			say, found.CreditBalance, want, err, s.log.String())
	}
}

// send delivers an event and checks the status of the response.
func (s *shop) send(say, kind string, object map[string]any, want int) {
	s.Helper()
	if got := s.deliver(kind, object, stripeSecret); got != want {
		s.Errorf("%s: %s is answered with %d, want %d\n%s", say, kind, got, want, s.log.String())
	}
}

const (
	completed      = "checkout.session.completed"
	asyncSucceeded = "checkout.session.async_payment_succeeded"
	chargeRefunded = "charge.refunded"
)

func (s *shop) fromThePanel() {
	owner := newBrowser(s.T)
	owner.signedUp(s.service, "buyer@example.com", ownersPassword)
	var viewer struct {
		ID       uuid.UUID
		TopUpURL string
	}
	owner.must(s.service, `{ viewer { id topUpUrl } }`, nil).into(s.T, "viewer", &viewer)
	link, err := url.Parse(viewer.TopUpURL)
	if err != nil || link.Query().Get("account") != viewer.ID.String() {
		s.Fatalf("%q: %v", viewer.TopUpURL, err)
	}
	token := link.Query().Get("token")
	page := s.get("/?token=" + token)
	if page.StatusCode != http.StatusOK || page.Header.Get("Referrer-Policy") != "no-referrer" {
		s.Errorf("the shop's page: %s %v", page.Status, page.Header)
	}
	answer := s.post("/buy", url.Values{
		"token":   {token},
		"pack":    {"large"},
		"account": {uuid.NewString()},
		"amount":  {"1"},
	})
	paid := s.stripe.session(answer.Header.Get("Location"))
	if paid.Account != viewer.ID || paid.Amount != 4500 {
		s.Fatalf("the session is %+v", paid)
	}
	s.send("paid", completed, paid.object(), http.StatusOK)
	s.wantBalance("paid", viewer.ID, 100+5000)
}

func (s *shop) oftenAndAtOnce() {
	id := s.opened()
	paid := s.bought(id)
	var work sync.WaitGroup
	for i := range 12 {
		kind := []string{completed, asyncSucceeded}[i%2]
		work.Go(func() { s.send("at once", kind, paid.object(), http.StatusOK) })
	}
	work.Wait()
	s.wantBalance("paid at once", id, 1100)
	refund := paid.refund("re_"+paid.Payment, 1000)
	s.stripe.refunded(refund)
	for range 8 { // some may be refused and sent again
		work.Go(func() { s.deliver(chargeRefunded, paid.charge(), stripeSecret) })
	}
	work.Wait()
	s.send("at last", chargeRefunded, paid.charge(), http.StatusOK)
	s.wantBalance("refunded at once", id, 100)
	s.send("very late", completed, paid.object(), http.StatusOK)
	s.wantBalance("after a late repetition", id, 100)
}

func (s *shop) paidLater() {
	id := s.opened()
	paid := s.bought(id)
	unpaid := paid.object()
	unpaid["payment_status"] = "unpaid"
	s.send("not paid yet", completed, unpaid, http.StatusOK)
	s.wantBalance("not paid yet", id, 100)
	s.send("failed", "checkout.session.async_payment_failed", unpaid, http.StatusOK)
	s.wantBalance("failed", id, 100)
	s.send("paid", asyncSucceeded, paid.object(), http.StatusOK)
	s.wantBalance("paid", id, 1100)
}

func (s *shop) signatures() {
	id := s.opened()
	paid := s.bought(id)
	for _, secret := range []string{"", "whsec_another"} {
		if got := s.deliver(completed, paid.object(), secret); got != http.StatusBadRequest {
			s.Errorf("a signature under %q is answered with %d", secret, got)
		}
	}
	s.wantBalance("forged", id, 100)
}

func (s *shop) prices() {
	id := s.opened()
	paid := s.bought(id)
	for say, change := range map[string]map[string]any{
		"too little":       {"amount_total": 999},
		"another currency": {"currency": "jpy"},
		"free":             {"amount_total": 0, "payment_status": "no_payment_required"},
		"a subscription":   {"mode": "subscription"},
		"no such pack":     {"metadata": map[string]any{"account": id, "pack": "huge"}},
		"the large pack":   {"metadata": map[string]any{"account": id, "pack": "large"}},
		"sold elsewhere":   {"metadata": map[string]any{}},
	} {
		object := paid.object()
		for name, value := range change {
			object[name] = value
		}
		s.send(say, completed, object, http.StatusOK)
		s.wantBalance(say, id, 100)
	}
	s.wantAlert(paid.ID + " does not match the price list")
}

func (s *shop) tokens() {
	id, other := s.opened(), s.opened()
	good := token(id, shopSecret, time.Now())
	for say, forged := range map[string]string{
		"none":            "",
		"another account": strings.Replace(good, id.String(), other.String(), 1),
		"expired":         token(id, shopSecret, time.Now().Add(-16*time.Minute)),
		"later":           strings.Replace(good, ".", ".9", 1),
		"without MAC":     good[:strings.LastIndex(good, ".")+1],
		"longer":          good + "x",
		"script":          good + `"><script>`,
		"of dots":         "..",
		"another secret":  token(id, "another secret of thirty-two bytes", time.Now()),
	} {
		page := s.get("/?token=" + url.QueryEscape(forged))
		buying := s.post("/buy", url.Values{"token": {forged}, "pack": {"small"}})
		if page.StatusCode != http.StatusBadRequest || buying.StatusCode != http.StatusBadRequest {
			s.Errorf("a token, %s: %s %s", say, page.Status, buying.Status)
		}
	}
	for _, pack := range []string{"", "huge", "__proto__", "toString"} {
		answer := s.post("/buy", url.Values{"token": {good}, "pack": {pack}})
		if answer.StatusCode != http.StatusBadRequest {
			s.Errorf("the pack %q: %s", pack, answer.Status)
		}
	}
	if n := s.stripe.countOf(id, other); n != 0 {
		s.Errorf("%d sessions were made", n)
	}
}

func (s *shop) twoAccounts() {
	id, other := s.opened(), s.opened()
	paid := s.bought(id)
	s.send("paid", completed, paid.object(), http.StatusOK)
	stolen := paid.object()
	stolen["metadata"] = map[string]any{"account": other, "pack": "small"}
	s.send("for another account", completed, stolen, http.StatusOK)
	s.wantBalance("paid", id, 1100)
	s.wantBalance("for another account", other, 100)
	s.wantAlert(paid.Payment + " was not granted")
}

func (s *shop) refundFirst() {
	id := s.opened()
	paid := s.bought(id)
	s.stripe.refunded(paid.refund("re_"+paid.Payment, 1000))
	s.send("before the payment", chargeRefunded, paid.charge(), http.StatusInternalServerError)
	s.send("the payment", completed, paid.object(), http.StatusOK)
	s.wantBalance("granted", id, 1100)
	s.send("again", chargeRefunded, paid.charge(), http.StatusOK)
	s.wantBalance("refunded", id, 100)
	elsewhere := paid.charge()
	elsewhere["metadata"] = map[string]any{}
	s.send("of something else", chargeRefunded, elsewhere, http.StatusOK)
}

func (s *shop) partialRefunds() {
	id := s.opened()
	paid := s.bought(id)
	s.send("paid", completed, paid.object(), http.StatusOK)
	s.stripe.refunded(paid.refund("re_1"+paid.Payment, 333))
	pending := paid.refund("re_2"+paid.Payment, 400)
	pending["status"] = "pending"
	s.stripe.refunded(pending)
	for range 2 {
		s.send("a third", chargeRefunded, paid.charge(), http.StatusOK)
		s.wantBalance("a third", id, 1100-333)
	}
	s.stripe.refunded(paid.refund("re_3"+paid.Payment, 667))
	for range 2 {
		s.send("the rest", chargeRefunded, paid.charge(), http.StatusOK)
		s.wantBalance("the rest", id, 100)
	}
}

// spent: a refund takes what is left, and never what comes later, even if it could take nothing and
// so has no entry.
func (s *shop) spent() {
	// Spent of 1,100, and lost of the refund's 1,000.
	for spent, lost := range map[int64]int{800: 700, 1100: 1000} {
		id := s.opened()
		paid := s.bought(id)
		s.send("paid", completed, paid.object(), http.StatusOK)
		s.adjust(id, -spent)
		s.stripe.refunded(paid.refund("re_"+paid.Payment, 1000))
		s.send("refunded", chargeRefunded, paid.charge(), http.StatusOK)
		s.wantBalance("what was there is taken", id, 0)
		s.adjust(id, 5)
		s.send("again", chargeRefunded, paid.charge(), http.StatusOK)
		s.wantBalance("what came later is not", id, 5)
		s.wantAlert(fmt.Sprintf("re_%s: %d of 1000 credits were already spent", paid.Payment, lost))
	}
}

func (s *shop) adjust(id uuid.UUID, amount int64) {
	by := credits.Grant{
		AccountID:  id,
		Adjustment: true,
		Amount:     amount,
		Note:       "adjusted",
		Reference:  uuid.NewString(),
	}
	if _, err := credits.On(s.store).GrantCredits(s.Context(), by); err != nil {
		s.Fatal(err)
	}
}

func (s *shop) deleted() {
	id := s.opened()
	paid, late := s.bought(id), s.bought(id)
	s.send("paid", completed, paid.object(), http.StatusOK)
	entry := audit.Entry{Actor: audit.ByOperator, Action: "account delete"}
	if err := erasure.On(s.store).DeleteAnyAccount(s.Context(), id, entry); err != nil {
		s.Fatal(err)
	}
	for range 2 {
		s.send("the account is gone", completed, late.object(), http.StatusOK)
	}
	if keys := s.stripe.returned(late.Payment); len(keys) != 1 {
		s.Errorf("refunded under %v, want once", keys)
	}
	s.wantAlert(late.Payment + " was refunded")
	for _, gone := range []*session{paid, late} {
		s.stripe.refunded(gone.refund("re_"+gone.Payment, 1000))
		s.send("nothing is left", chargeRefunded, gone.charge(), http.StatusOK)
	}
}
