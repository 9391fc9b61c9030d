package admin

import (
	"crypto/sha256"
	"crypto/subtle"
	_ "embed"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
	"agentchat/internal/store"
)

// Description is the API's OpenAPI description.
//
//go:embed openapi.yaml
var Description []byte

// Config configures the API.
type Config struct {
	Store *store.Store
	// Token opens the API.
	Token  string
	Logger *slog.Logger
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

// complainEvery is how often wrong tokens are logged.
const complainEvery = time.Minute

type api struct {
	Config
	token [sha256.Size]byte

	mu         sync.Mutex
	refused    int
	complained time.Time
}

// exchange is a request and what its handler answers with.
type exchange struct {
	*httpapi.Exchange
	api *api
}

// NewHandler returns the handler of /admin/v1.
func NewHandler(c Config) http.Handler {
	a := &api{Config: c, token: sha256.Sum256([]byte(c.Token))}
	mux := http.NewServeMux()
	for _, route := range []struct {
		method, path string
		serve        func(*exchange) (any, error)
	}{
		{http.MethodGet, "/accounts", (*exchange).list},
		{http.MethodGet, "/accounts/{id}", (*exchange).show},
		{http.MethodPost, "/accounts/{id}/suspend", (*exchange).suspend},
		{http.MethodPost, "/accounts/{id}/resume", (*exchange).resume},
		{http.MethodPost, "/accounts/{id}/credits", (*exchange).credits},
	} {
		path := "/admin/v1" + route.path
		mux.Handle(route.method+" "+path, a.handler(path, route.serve))
		mux.Handle(path, a.handler(path, func(ex *exchange) (any, error) {
			ex.W.Header().Set("Allow", route.method)
			return nil, fault.New(httpapi.MethodNotAllowed, "Send this request with "+route.method+".")
		}))
	}
	mux.Handle("GET /admin/v1/openapi.yaml", a.handler("/admin/v1/openapi.yaml", (*exchange).describe))
	mux.Handle("/", a.handler("", func(*exchange) (any, error) {
		return nil, fault.New(fault.NotFound, "There is no such path. GET /admin/v1/openapi.yaml describes this API.")
	}))
	return mux
}

// handler checks the token, runs serve, and sends the result as JSON; nil if it has sent its answer itself.
func (a *api) handler(route string, serve func(*exchange) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ex := &exchange{httpapi.NewExchange(w, r, a.Logger), a}
		ex.Access.Route = route
		if !a.opens(httpapi.BearerToken(r.Header)) {
			a.complain() // in place of a line for each
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
			ex.SendJSON(http.StatusOK, append(httpapi.Encode(body), '\n'))
		}
	})
}

// opens compares tokens by their hashes, in the same time whatever they share.
func (a *api) opens(token string) bool {
	hash := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(hash[:], a.token[:]) == 1
}

// complain counts a request without the token, and logs such requests once a minute.
func (a *api) complain() {
	if a.Refused != nil {
		a.Refused()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.refused++; time.Since(a.complained) >= complainEvery {
		a.Logger.Warn("requests of the admin API without the right token", slog.Int("count", a.refused))
		a.refused, a.complained = 0, time.Now()
	}
}

func (ex *exchange) refuse(err error) {
	answer, body := ex.Describe(answers, err)
	ex.SendError(answer, body)
}

func (ex *exchange) describe() (any, error) {
	ex.W.Header().Set("Content-Type", "application/yaml")
	ex.WriteHeader(http.StatusOK)
	_, _ = ex.W.Write(Description) // fails only when the client has left
	return nil, nil                //nolint:nilnil // sent already
}

// account finds the account of the path: an id, or email: and an address.
func (ex *exchange) account() (store.Owned, error) {
	none := fault.New(fault.NotFound, "There is no such account.")
	ctx, text := ex.R.Context(), ex.R.PathValue("id")
	if address, ok := strings.CutPrefix(text, "email:"); ok {
		email, err := account.ParseEmail(address)
		if err != nil {
			return store.Owned{}, err
		}
		found, err := ex.api.Store.AccountByEmail(ctx, email)
		if fault.Is(err, fault.NotFound) {
			err = none
		}
		return found, err
	}
	id, err := uuid.Parse(text)
	if err != nil {
		return store.Owned{}, none
	}
	found, err := ex.api.Store.OwnedAccount(ctx, id)
	if fault.Is(err, fault.NotFound) {
		err = none
	}
	return found, err
}
