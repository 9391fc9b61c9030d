// Package download serves the data of an account to its owners as a file. A link in the panel opens
// it, so its token is in the URL. The token works for a minute, and only while its sign-in is an owner's.
package download

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
	"agentchat/internal/identity"
	"agentchat/internal/memory"
	"agentchat/internal/share"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/dataexport"
)

// Path is the path of the links.
const Path = "/download/account"

// held is the memory in bytes that a download may use: a page of texts, in the forms in which it is
// read and sent.
const held = 4 * conversations.MaxPageText

// Link returns the link with a token, at a base URL.
func Link(base, token string) string { return base + Path + "?token=" + token }

// Config configures the handler.
type Config struct {
	// Store has the panel's connections.
	Store    *store.DB
	Identity *identity.Service
	Logger   *slog.Logger
	// Observe is called once per request after its response; it must not block.
	Observe func(httpapi.AccessRecord)
	// Memory is the memory of all requests; nil has no bound.
	Memory *memory.Budget
}

var answers = httpapi.Answers{
	identity.DownloadRefused: {Status: http.StatusForbidden},
	httpapi.MethodNotAllowed: {Status: http.StatusMethodNotAllowed},
	fault.RateLimited:        {Status: http.StatusTooManyRequests, RetryAfter: httpapi.WriteTimeout},
	fault.Internal:           {Status: http.StatusInternalServerError},
	fault.Unavailable:        {Status: http.StatusServiceUnavailable, RetryAfter: 2 * time.Second},
}

type handler struct {
	Config
	// running holds the accounts that are being downloaded.
	running *share.Shares
}

// NewHandler returns the handler of Path.
func NewHandler(c Config) http.Handler {
	return &handler{c, share.New(share.Limits{Slots: 1})}
}

// ServeHTTP answers GET with the file and HEAD with the status that GET would have.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ex := httpapi.NewExchange(w, r, h.Logger)
	ex.Access.Route = Path
	w.Header().Set("Referrer-Policy", "no-referrer")
	refuse := func(err error) {
		w.Header().Del("Content-Disposition") // an error is no file
		answer, body := ex.Describe(answers, err)
		ex.SendError(answer, body)
	}
	defer func() { h.Observe(ex.Finish()) }()
	defer ex.Recover(func() { refuse(fault.New(fault.Internal, "")) })
	if err := h.serve(ex); err != nil {
		refuse(err)
	}
}

// serve sends the file, or returns an error before it begins. Faults: identity.DownloadRefused,
// MethodNotAllowed; RateLimited while the account is being downloaded; Unavailable, also if no
// memory is left.
func (h *handler) serve(ex *httpapi.Exchange) error {
	if ex.R.Method != http.MethodGet && ex.R.Method != http.MethodHead {
		ex.W.Header().Set("Allow", "GET, HEAD")
		return fault.New(httpapi.MethodNotAllowed, "This path accepts only GET and HEAD.")
	}
	d, err := h.Identity.Download(ex.R.Context(), ex.R.URL.Query().Get("token"))
	if err != nil {
		return err
	}
	ex.Caller = []slog.Attr{slog.String("account", d.AccountID.String())}
	leave, err := h.running.Enter(ex.R.Context(), d.AccountID.String())
	if err != nil {
		return fault.New(fault.RateLimited,
			"This account is being downloaded already. Try again when that download has ended.")
	}
	leave = sync.OnceFunc(leave)
	defer leave()
	hold := h.Memory.Hold(memory.Panel(d.AccountID))
	defer hold.Release()
	if err := hold.Grow(held); err != nil {
		return err
	}
	ex.W.Header().Set("Content-Disposition",
		fmt.Sprintf(`attachment; filename="agentchat-%s.jsonl"`, d.AccountID))
	lines := &httpapi.Lines{
		Exchange:  ex,
		MediaType: "application/x-ndjson",
		Before:    func() error { return h.Identity.MayDownload(ex.R.Context(), d) },
	}
	if ex.R.Method == http.MethodHead {
		leave() // before the response, which the GET follows
		return lines.Flush()
	}
	err = h.send(ex, lines, d)
	if err != nil && lines.Started() {
		if !errors.Is(err, http.ErrAbortHandler) { // otherwise the client has left
			ex.Describe(answers, err)
		}
		panic(http.ErrAbortHandler)
	}
	return err
}

// send writes the account and then a line with the number of lines, so that a
// truncated file can be recognized.
func (h *handler) send(ex *httpapi.Exchange, lines *httpapi.Lines, d auth.Download) error {
	n := 0
	ctx := store.ForAccount(ex.R.Context(), d.AccountID)
	err := dataexport.On(h.Store).ExportAccount(ctx, d.AccountID, &d.UserID,
		func(line json.RawMessage) error {
			n++
			return lines.Write(line)
		})
	if err == nil {
		err = lines.Write(fmt.Appendf(nil, `{"type":"end","lines":%d}`, n))
	}
	if err == nil {
		err = lines.Flush()
	}
	return err
}
