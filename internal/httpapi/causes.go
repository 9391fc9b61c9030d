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
	// causeEvery is the least time between two log lines for the same cause: a database that is down
	// refuses every request.
	causeEvery = time.Minute
	// maxCauses bounds the remembered causes.
	maxCauses = 100
)

// cause identifies a cause of 503s in the log of an API.
type cause struct {
	logger        *slog.Logger
	message, text string
}

// causes holds the recently logged causes, with the time.
var causes = struct {
	sync.Mutex
	at map[cause]time.Time
}{at: map[cause]time.Time{}}

// LogUnavailable logs why a request could not be served, at most once a minute per cause: the
// database, or another part of the service, such as its memory or a queue. It ignores other faults,
// and clients that have left.
func (ex *Exchange) LogUnavailable(err error) {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind != fault.Unavailable || f.Err == nil || errors.Is(err, context.Canceled) {
		return
	}
	message := "requests are refused: the service is unavailable"
	if errors.Is(f.Err, fault.ErrDatabase) {
		message = "requests are refused: the database is unavailable"
	}
	if isDue(cause{ex.logger, message, causeOf(f.Err)}) {
		ex.logger.LogAttrs(ex.R.Context(), slog.LevelWarn, message,
			append(ex.identity(), slog.String("error", err.Error()))...)
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

// causeOf names a cause: by the database's error code if there is one, otherwise by the innermost
// error, which contains no addresses.
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
