package admin

import (
	"crypto/sha256"
	"crypto/subtle"
	_ "embed"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/operator"
)

// openAPI is the API's OpenAPI description.
//
//go:embed openapi.yaml
var openAPI []byte

// OpenAPI returns the API's OpenAPI description with the version of the service.
func OpenAPI(version string) []byte { return httpapi.Versioned(openAPI, version) }

// Config configures the API.
type Config struct {
	Store *store.DB
	// Version is the version of the service.
	Version string
	// Token is the token that every request needs.
	Token string
	// PanelURL is the prefix of links to the panel.
	PanelURL string
	// CreditValue is the price of a credit in nano-dollars; nil if it is unknown.
	CreditValue *int64
	Logger      *slog.Logger
	// Refused is called for each request without the token.
	Refused func()
}

// answers is the API's table of errors.
var answers = httpapi.Answers{
	httpapi.InvalidJSON: {Status: http.StatusBadRequest},
	fault.InvalidInput:  {Status: http.StatusBadRequest},
	fault.Unauthorized: {Status: http.StatusUnauthorized,
		Message: "The admin token is missing or wrong. Send it as: Authorization: Bearer <ADMIN_TOKEN>."},
	fault.NotFound:               {Status: http.StatusNotFound},
	httpapi.MethodNotAllowed:     {Status: http.StatusMethodNotAllowed},
	httpapi.RequestTimeout:       {Status: http.StatusRequestTimeout},
	fault.Conflict:               {Status: http.StatusConflict},
	httpapi.PayloadTooLarge:      {Status: http.StatusRequestEntityTooLarge},
	httpapi.UnsupportedMediaType: {Status: http.StatusUnsupportedMediaType},
	fault.Internal:               {Status: http.StatusInternalServerError},
	fault.Unavailable:            {Status: http.StatusServiceUnavailable, RetryAfter: 2 * time.Second},
}

// refusalLogInterval is the least time between two log lines about wrong tokens.
const refusalLogInterval = time.Minute

type api struct {
	Config
	token [sha256.Size]byte

	mu       sync.Mutex
	refused  int
	loggedAt time.Time
}

// exchange is a request with its response.
type exchange struct {
	*httpapi.Exchange
	api *api
	// status is the status of a response without an error.
	status int
}

// methods maps the methods of a path to their handlers.
type methods map[string]func(*exchange) (any, error)

// NewHandler returns the handler of /admin/v1.
func NewHandler(c Config) http.Handler {
	a := &api{Config: c, token: sha256.Sum256([]byte(c.Token))}
	mux := http.NewServeMux()
	for path, methods := range map[string]methods{
		"/accounts":                          {http.MethodGet: (*exchange).list, http.MethodPost: (*exchange).open},
		"/accounts/{id}":                     {http.MethodGet: (*exchange).show, http.MethodDelete: (*exchange).remove},
		"/accounts/{id}/suspend":             {http.MethodPost: (*exchange).suspend},
		"/accounts/{id}/resume":              {http.MethodPost: (*exchange).resume},
		"/accounts/{id}/invitation":          {http.MethodPost: (*exchange).renewInvitation},
		"/accounts/{id}/usage":               {http.MethodGet: (*exchange).usage},
		"/accounts/{id}/credits":             {http.MethodGet: (*exchange).history, http.MethodPost: (*exchange).credits},
		"/accounts/{id}/end-users/{user_id}": {http.MethodGet: (*exchange).exportPerson, http.MethodDelete: (*exchange).erasePerson},
		"/credits":                           {http.MethodGet: (*exchange).byReference},
		"/margins":                           {http.MethodGet: (*exchange).margins},
		"/webhooks":                          {http.MethodGet: (*exchange).webhooks},
		"/webhooks/{id}/stop":                {http.MethodPost: (*exchange).stopWebhook},
		"/webhooks/{id}/allow":               {http.MethodPost: (*exchange).allowWebhook},
	} {
		path = "/admin/v1" + path
		for method, serve := range methods {
			mux.Handle(method+" "+path, a.handler(path, serve))
		}
		allowed := strings.Join(slices.Sorted(maps.Keys(methods)), ", ")
		mux.Handle(path, a.handler(path, func(ex *exchange) (any, error) {
			ex.W.Header().Set("Allow", allowed)
			return nil, fault.New(httpapi.MethodNotAllowed, "This path takes "+allowed+".")
		}))
	}
	mux.Handle("GET /admin/v1/openapi.yaml", a.handler("/admin/v1/openapi.yaml", (*exchange).describe))
	mux.Handle("/", a.handler("", func(*exchange) (any, error) {
		return nil, fault.New(fault.NotFound, "There is no such path. GET /admin/v1/openapi.yaml describes this API.")
	}))
	return mux
}

// handler checks the token, runs serve, and sends the result as JSON. A nil result means that serve
// has sent the response.
func (a *api) handler(route string, serve func(*exchange) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ex := &exchange{httpapi.NewExchange(w, r, a.Logger), a, http.StatusOK}
		ex.Access.Route = route
		if !a.opens(httpapi.BearerToken(r.Header)) {
			a.countRefusal()
			ex.refuse(fault.New(fault.Unauthorized, ""))
			return
		}
		defer ex.Finish()
		defer ex.Recover(func() { ex.refuse(errors.New("panic")) })
		body, err := serve(ex)
		switch {
		case err != nil:
			ex.refuse(err)
		case body != nil:
			ex.SendJSON(ex.status, append(httpapi.Encode(body), '\n'))
		}
	})
}

// opens compares the hashes of the tokens, in constant time.
func (a *api) opens(token string) bool {
	hash := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(hash[:], a.token[:]) == 1
}

// countRefusal counts a request without the token. It logs the count at most once a minute.
func (a *api) countRefusal() {
	if a.Refused != nil {
		a.Refused()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.refused++; time.Since(a.loggedAt) >= refusalLogInterval {
		a.Logger.Warn("requests of the admin API without the right token",
			slog.Int("count", a.refused))
		a.refused, a.loggedAt = 0, time.Now()
	}
}

func (ex *exchange) refuse(err error) {
	answer, body := ex.Describe(answers, err)
	ex.SendError(answer, body)
}

func (ex *exchange) describe() (any, error) {
	ex.W.Header().Set("Content-Type", "application/yaml")
	ex.WriteHeader(http.StatusOK)
	_, _ = ex.W.Write(OpenAPI(ex.api.Version)) // fails only when the client has left
	return nil, nil                            //nolint:nilnil // sent already
}

// account returns the account of the path: an ID, or email: and the address of its owner. Faults:
// NotFound; Conflict for an owner of several accounts.
func (ex *exchange) account() (accounts.Owned, error) {
	address, ok := strings.CutPrefix(ex.R.PathValue("id"), "email:")
	if !ok {
		return ex.accountByID()
	}
	email, err := account.ParseEmail(address)
	if err != nil {
		return accounts.Owned{}, err
	}
	found, err := operator.On(ex.api.Store).AccountByEmail(ex.R.Context(), email)
	return found, noAccount(err)
}

// accountByID is account for requests that cannot be undone: they need an ID.
func (ex *exchange) accountByID() (accounts.Owned, error) {
	text := ex.R.PathValue("id")
	if strings.HasPrefix(text, "email:") {
		return accounts.Owned{}, invalid("id", "This cannot be undone: name the account by its ID.")
	}
	id, err := uuid.Parse(text)
	if err != nil {
		return accounts.Owned{}, noAccount(fault.Wrap(fault.NotFound, err))
	}
	found, err := accounts.On(ex.api.Store).OwnedAccount(ex.R.Context(), id)
	return found, noAccount(err)
}

func noAccount(err error) error {
	if fault.Is(err, fault.NotFound) {
		return fault.New(fault.NotFound, "There is no such account.")
	}
	return err
}
