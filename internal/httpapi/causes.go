package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"agentchat/internal/fault"
)

const (
	// causeEvery is how often one cause is logged: a database that is away refuses every request.
	causeEvery = time.Minute
	// maxCauses bounds what is remembered of them.
	maxCauses = 100
)

// cause is a cause of 503s in the log of an API.
type cause struct {
	logger        *slog.Logger
	message, text string
}

// causes are those that were just logged, and when.
var causes = struct {
	sync.Mutex
	at map[cause]time.Time
}{at: map[cause]time.Time{}}

// LogUnavailable logs why a request could not be served, at most once a minute for each cause: the database, or something else of the
// service, such as its memory or a queue. It does nothing for other faults, and for a client that has left.
func (ex *Exchange) LogUnavailable(err error) {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind != fault.Unavailable || f.Err == nil || errors.Is(err, context.Canceled) {
		return
	}
	message := "requests are refused: the service cannot serve them now"
	if errors.Is(f.Err, fault.ErrDatabase) {
		message = "requests are refused: the database does not serve them"
	}
	if isDue(cause{ex.logger, message, causeOf(f.Err)}) {
		ex.logger.LogAttrs(ex.R.Context(), slog.LevelWarn, message, append(ex.identity(), slog.String("error", err.Error()))...)
	}
}

func isDue(c cause) bool {
	causes.Lock()
	defer causes.Unlock()
	now := time.Now()
	if last, logged := causes.at[c]; logged && now.Sub(last) < causeEvery {
		return false
	}
	if len(causes.at) >= maxCauses {
		clear(causes.at)
	}
	causes.at[c] = now
	return true
}

// causeOf names a cause: by the database's own code where it has one, otherwise by the innermost error, which has no addresses in it.
func causeOf(err error) string {
	if coded, ok := errors.AsType[interface {
		error
		SQLState() string
	}](err); ok {
		return coded.SQLState()
	}
	for {
		next := errors.Unwrap(err)
		if joined, ok := err.(interface{ Unwrap() []error }); ok && len(joined.Unwrap()) > 0 {
			next = joined.Unwrap()[0]
		}
		if next == nil {
			return fmt.Sprintf("%T %v", err, err)
		}
		err = next
	}
}
