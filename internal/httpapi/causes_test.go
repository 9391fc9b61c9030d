package httpapi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
	"agentchat/internal/memory"
)

// sqlError is like an error of the database driver.
type sqlError struct{ code, text string }

func (e sqlError) SQLState() string { return e.code }
func (e sqlError) Error() string    { return e.text + " (SQLSTATE " + e.code + ")" }

// refusedFrom returns the error of a refused connection; the client's port differs each time.
func refusedFrom(port int) error {
	return &net.OpError{Op: "read", Net: "tcp", Source: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port},
		Err: os.NewSyscallError("read", syscall.ECONNREFUSED)}
}

// ofDatabase returns a fault of the store.
func ofDatabase(err error) error {
	return fault.Wrap(fault.Unavailable, fmt.Errorf("%w: %w", err, fault.ErrDatabase))
}

// TestEachCauseIsLoggedOnce shows that each cause of a 503 is logged once with a request's id, and
// not for each request, and that only errors of the database are attributed to it.
func TestEachCauseIsLoggedOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, nil))
	for try := range 3 {
		for _, err := range []error{
			ofDatabase(sqlError{"58P01", fmt.Sprint("could not load library ", try)}),
			ofDatabase(fmt.Errorf("begin: %w", sqlError{"53300", "too many clients"})),
			ofDatabase(errors.Join(refusedFrom(5000+try), refusedFrom(6000+try))),
			ofDatabase(context.DeadlineExceeded),
			fault.Wrap(fault.Unavailable, fmt.Errorf("waiting for a turn: %w", context.DeadlineExceeded)),
			memory.UsedUp(),
			ofDatabase(context.Canceled), // the client left
			fault.New(fault.Unavailable, "There is no memory."),
			fault.Wrap(fault.ModelUnavailable, errors.New("overloaded")),
		} {
			ex := httpapi.NewExchange(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", nil),
				logger)
			ex.Describe(httpapi.Answers{fault.Unavailable: {Status: 503}, fault.ModelUnavailable: {Status: 503}}, err)
		}
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 6 {
		t.Errorf("%d lines, but there are 6 causes:\n%s", len(lines), log.String())
	}
	for i, part := range []string{"could not load library 0 (SQLSTATE 58P01)", "SQLSTATE 53300",
		"connection refused", "deadline exceeded",
		"waiting for a turn: context deadline exceeded", "no memory is left"} {
		if i < len(lines) && (!strings.Contains(lines[i], part) ||
			!strings.Contains(lines[i], `"level":"WARN"`) ||
			!strings.Contains(lines[i], `"request_id":"`) ||
			strings.Contains(lines[i], "database") != (i < 4)) {
			t.Errorf("line %d lacks %s, or its attribution is wrong: %s", i, part, lines[i])
		}
	}
}

// TestCausesAreBounded shows that causes that always differ are logged, and that their memory is
// bounded. It is not parallel, because it displaces the causes of other tests.
func TestCausesAreBounded(t *testing.T) { //nolint:paralleltest
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, nil))
	const many = 1000
	for n := range many {
		ex := httpapi.NewExchange(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", nil),
			logger)
		ex.LogUnavailable(fault.Wrap(fault.Unavailable, fmt.Errorf("cause %d", n)))
	}
	if lines := strings.Count(log.String(), "\n"); lines != many || httpapi.Causes() > 100 {
		t.Errorf("%d lines, %d causes are remembered", lines, httpapi.Causes())
	}
}
