package e2e_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/topup"
)

const (
	shopSecret   = "a secret of the shop and the service"
	stripeSecret = "whsec_of_the_test"
)

// shop is the example shop, running between the service and a fake Stripe.
type shop struct {
	*testing.T
	store   *store.DB
	service *replica
	stripe  *stripe
	address string
	log     *lockedBuffer
}

func newShop(t *testing.T) *shop {
	t.Helper()
	const adminToken = "0123456789abcdef0123456789abcdef-admin"
	database := storetest.URL(t)
	s := &shop{T: t, store: storetest.Open(t, database), stripe: newStripe(t)}
	s.service = start(t, database, "ADMIN_ADDR=127.0.0.1:0", "ADMIN_TOKEN="+adminToken,
		"TOP_UP_SECRET="+shopSecret,
		"TOP_UP_URL=https://pay.example.com/?account={account}&token={token}")
	s.address, s.log = serveExample(t, "shop/shop.mjs",
		"SHOP_URL=https://pay.example.com", "PANEL_URL=https://chat.example.com",
		"TOP_UP_SECRET="+shopSecret, "ADMIN_URL="+s.service.Admin, "ADMIN_TOKEN="+adminToken,
		"STRIPE_SECRET_KEY=sk_test_1", "STRIPE_WEBHOOK_SECRET="+stripeSecret, "STRIPE_API="+s.stripe.URL)
	return s
}

// token returns a link's token, as the service signs it.
func token(account uuid.UUID, secret string, at time.Time) string {
	return (&topup.Shop{URL: "{token}", Secret: secret}).Link(account, at)
}

// reply is a response of the shop.
type reply struct {
	StatusCode int
	Status     string
	Header     http.Header
}

// get reads a page of the shop.
func (s *shop) get(path string) reply {
	return s.do(http.MethodGet, path, "", http.Header{})
}

// post sends a form to the shop, as a browser does.
func (s *shop) post(path string, form url.Values) reply {
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	return s.do(http.MethodPost, path, form.Encode(), header)
}

func (s *shop) do(method, path, body string, header http.Header) reply {
	s.Helper()
	request, err := http.NewRequestWithContext(
		s.Context(), method, s.address+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	request.Header = header
	response, err := http.DefaultTransport.RoundTrip(request) // follows no redirects
	if err != nil {
		s.Errorf("%s %s: %v\n%s", method, path, err, s.log.String())
		return reply{}
	}
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	return reply{response.StatusCode, response.Status, response.Header}
}

// wantAlert checks that the shop has alerted its operator.
func (s *shop) wantAlert(text string) {
	s.Helper()
	for line := range strings.Lines(s.log.String()) {
		if strings.HasPrefix(line, "ATTENTION: ") && strings.Contains(line, text) {
			return
		}
	}
	s.Errorf("no alert %q:\n%s", text, s.log.String())
}

// deliver sends an event, signed as by Stripe, and returns the status of the response. Without a
// secret the event is not signed.
func (s *shop) deliver(kind string, object map[string]any, secret string) int {
	s.Helper()
	body, err := json.Marshal(map[string]any{
		"id":     "evt_" + uuid.NewString(),
		"object": "event",
		"type":   kind,
		"data":   map[string]any{"object": object},
	})
	if err != nil {
		s.Fatal(err)
	}
	header := http.Header{"Content-Type": {"application/json"}}
	if secret != "" {
		at := strconv.FormatInt(time.Now().Unix(), 10)
		mac := hmac.New(sha256.New, []byte(secret))
		_, _ = io.WriteString(mac, at+"."+string(body))
		header.Set("Stripe-Signature", "t="+at+",v1="+hex.EncodeToString(mac.Sum(nil)))
	}
	return s.do(http.MethodPost, "/stripe", string(body), header).StatusCode
}

// session is a checkout session that was paid.
type session struct {
	ID, Payment, Charge string
	Account             uuid.UUID
	Pack, Currency      string
	Amount              int
}

func (c *session) metadata() map[string]any {
	return map[string]any{"account": c.Account, "pack": c.Pack}
}

// object returns the session as it appears in events.
func (c *session) object() map[string]any {
	return map[string]any{
		"id":             c.ID,
		"object":         "checkout.session",
		"mode":           "payment",
		"payment_status": "paid",
		"amount_total":   c.Amount,
		"currency":       c.Currency,
		"payment_intent": c.Payment,
		"metadata":       c.metadata(),
	}
}

// charge returns the session's charge as it appears in events. amount_refunded is always the full
// amount, because the shop must not rely on it.
func (c *session) charge() map[string]any {
	return map[string]any{
		"id":              c.Charge,
		"object":          "charge",
		"amount":          c.Amount,
		"amount_refunded": c.Amount,
		"payment_intent":  c.Payment,
		"metadata":        c.metadata(),
	}
}

func (c *session) refund(id string, amount int) map[string]any {
	return map[string]any{
		"id":       id,
		"object":   "refund",
		"charge":   c.Charge,
		"amount":   amount,
		"status":   "succeeded",
		"metadata": map[string]any{},
	}
}

// stripe fakes Stripe's API.
type stripe struct {
	*httptest.Server
	mu       sync.Mutex
	sessions map[string]*session
	refunds  map[string][]map[string]any
	// returns has the idempotency keys of the refunds that the shop requested, by payment.
	returns map[string][]string
}

func newStripe(t *testing.T) *stripe {
	t.Helper()
	s := &stripe{
		sessions: map[string]*session{},
		refunds:  map[string][]map[string]any{},
		returns:  map[string][]string{},
	}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		var answer any
		err := r.ParseForm()
		switch r.Method + " " + r.URL.Path {
		case "POST /v1/checkout/sessions":
			answer, err = s.create(r.PostForm)
		case "GET /v1/refunds":
			answer = map[string]any{
				"object":   "list",
				"url":      "/v1/refunds",
				"has_more": false,
				"data":     s.refunds[r.Form.Get("charge")],
			}
		case "POST /v1/refunds":
			payment, key := r.PostForm.Get("payment_intent"), r.Header.Get("Idempotency-Key")
			if !slices.Contains(s.returns[payment], key) {
				s.returns[payment] = append(s.returns[payment], key)
			}
			answer = map[string]any{"id": "re_" + payment, "object": "refund"}
		case "POST /v1/refunds/" + path.Base(r.URL.Path):
			answer, err = s.update(path.Base(r.URL.Path), r.PostForm)
		default:
			err = fmt.Errorf("no such path: %s", r.URL.Path)
		}
		w.Header().Set("Content-Type", "application/json")
		if err != nil {
			t.Errorf("a bad request to Stripe: %v", err)
			w.WriteHeader(http.StatusBadRequest)
			answer = map[string]any{"error": map[string]any{"message": err.Error()}}
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *stripe) create(form url.Values) (any, error) {
	const price = "line_items[0][price_data]"
	amount, err := strconv.Atoi(form.Get(price + "[unit_amount]"))
	if err != nil {
		return nil, err
	}
	id, err := uuid.Parse(form.Get("metadata[account]"))
	if err != nil {
		return nil, err
	}
	paying := form.Get("payment_intent_data[metadata][account]")
	if paying != id.String() || form.Get("mode") != "payment" {
		return nil, fmt.Errorf("a session with %v", form)
	}
	n := strconv.Itoa(len(s.sessions))
	made := &session{
		ID:       "cs_" + n,
		Payment:  "pi_" + n,
		Charge:   "ch_" + n,
		Account:  id,
		Pack:     form.Get("metadata[pack]"),
		Amount:   amount,
		Currency: form.Get(price + "[currency]"),
	}
	s.sessions["https://checkout.example.com/"+n] = made
	return map[string]any{
		"id":     made.ID,
		"object": "checkout.session",
		"url":    "https://checkout.example.com/" + n,
	}, nil
}

// update sets the metadata of a refund.
func (s *stripe) update(id string, form url.Values) (any, error) {
	for _, refunds := range s.refunds {
		for _, refund := range refunds {
			if refund["id"] == id {
				refund["metadata"] = map[string]any{"spent": form.Get("metadata[spent]")}
				return refund, nil
			}
		}
	}
	return nil, fmt.Errorf("no refund %s", id)
}

// session returns the checkout session at an address.
func (s *stripe) session(address string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[address]
}

// countOf returns the number of sessions of the accounts.
func (s *stripe) countOf(accounts ...uuid.UUID) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, made := range s.sessions {
		if slices.Contains(accounts, made.Account) {
			n++
		}
	}
	return n
}

// refunded adds a refund to its charge.
func (s *stripe) refunded(refund map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	charge, _ := refund["charge"].(string)
	s.refunds[charge] = append(s.refunds[charge], refund)
}

// returned returns the idempotency keys with which the shop has refunded a payment.
func (s *stripe) returned(payment string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.returns[payment]
}
