package rest_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/rest"
)

// retried are the kinds whose answers have Retry-After.
var retried = map[fault.Kind]bool{
	fault.SessionBusy:       true,
	fault.RequestInProgress: true,
	fault.RateLimited:       true,
	fault.ModelUnavailable:  true,
	fault.Unavailable:       true,
}

func refuse(t *testing.T, caller *chat.Caller, log *journal, err error) reply {
	t.Helper()
	w := httptest.NewRecorder()
	rest.Refuse(w, httptest.NewRequest(http.MethodPost, rest.ChatPath, nil), log.logger(), caller, err)
	return reply{Response: w.Result(), text: w.Body.String()}
}

func caller() *chat.Caller {
	return &chat.Caller{
		AccountID: uuid.New(), ExportID: uuid.New(),
		Rate: chat.Rate{Limit: 60, Remaining: 58, Reset: 1500 * time.Millisecond},
	}
}

// TestEveryKindHasItsAnswer compares the answers with the description.
func TestEveryKindHasItsAnswer(t *testing.T) {
	t.Parallel()
	for code, status := range described(t, "http://localhost").Codes() {
		kind := fault.Kind(code)
		r := refuse(t, caller(), new(journal), fmt.Errorf("around: %w", fault.New(kind, "Do this.")))
		p := r.refused(t, status, code)
		wait := r.Header.Get("Retry-After")
		if seconds, _ := strconv.Atoi(wait); (seconds > 0) != retried[kind] ||
			(wait != "") != retried[kind] {
			t.Errorf("%s: Retry-After is %q", kind, wait)
		}
		unknown := kind == fault.Unauthorized
		if (r.Header.Get("WWW-Authenticate") != "") != unknown ||
			(r.Header.Get("RateLimit-Limit") == "60") == unknown ||
			(p.Error.Message == "Do this.") == unknown {
			t.Errorf("%s: %v %s", kind, r.Header, r.text)
		}
	}
}

// panelOnly are the kinds that only the panel's operations raise.
var panelOnly = map[fault.Kind]bool{
	fault.InvalidCredentials:   true,
	fault.SignUpClosed:         true,
	fault.SecondFactorRequired: true,
	fault.Stopped:              true,
	fault.Conflict:             true,
}

// TestTheTableHoldsEveryKindOfTheCore tests that every other kind of package fault has an answer:
// a kind without one is answered as an internal fault.
func TestTheTableHoldsEveryKindOfTheCore(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../internal/fault/fault.go")
	if err != nil {
		t.Fatal(err)
	}
	kinds := regexp.MustCompile(`Kind = "(.+?)"`).FindAllStringSubmatch(string(source), -1)
	for _, found := range kinds {
		kind := fault.Kind(found[1])
		if _, listed := rest.StatusOf(kind); listed == panelOnly[kind] {
			t.Errorf("kind %s is listed: %t", kind, listed)
		}
	}
	if len(kinds) < 15 {
		t.Errorf("found only %d kinds", len(kinds))
	}
}

// TestNothingOfACauseReachesTheClient tests that a cause is logged for internal faults and outages
// alone, and that no caller sees one. Unknown errors are internal.
func TestNothingOfACauseReachesTheClient(t *testing.T) {
	t.Parallel()
	const marker = "marker-7f3a"
	cause := errors.New(marker + " select * from /etc/secret")
	details := map[string]any{marker: 1}
	all := []error{cause, &fault.Error{Kind: "novel", Message: marker, Details: details}}
	for _, kind := range rest.Kinds() {
		all = append(all, fault.Wrap(kind, cause), fmt.Errorf("%w: %w", cause, fault.Wrap(kind, cause)))
	}
	for _, err := range all {
		log, who := new(journal), caller()
		r := refuse(t, who, log, err)
		p := r.problem(t)
		if dump := fmt.Sprint(r.Header, r.text); strings.Contains(dump, marker) {
			t.Errorf("%v: the client sees the cause: %s", err, dump)
		}
		lines, kind := strings.Count(log.String(), "\n"), fault.KindOf(err)
		switch _, known := rest.StatusOf(kind); {
		case !known || kind == fault.Internal:
			r.refused(t, http.StatusInternalServerError, "internal")
			for _, part := range []string{marker, who.AccountID.String(), p.RequestID} {
				if !strings.Contains(log.String(), part) || lines != 1 || len(p.Error.Details) > 0 {
					t.Errorf("%v: answered %s, logged %s", err, r.text, log)
				}
			}
		case (lines == 1) != (kind == fault.Unavailable) || lines > 1:
			t.Errorf("%v: logged %d lines: %s", err, lines, log)
		}
	}
}

func TestErrorDetails(t *testing.T) {
	t.Parallel()
	short := map[string]any{"required": int64(3), "available": int64(1)}
	removed := map[string]any{"reason": "removed"}
	for _, tc := range []struct {
		err  error
		want string
	}{
		{fault.New(fault.ModelError, ""), `{}`},
		{&fault.Error{Kind: fault.InsufficientCredits, Details: short}, `{"available":1,"required":3}`},
		{fault.Invalid(fault.Field{Path: "a", Reason: fault.TooLong, Limit: 5}, fault.Field{Path: "b"}),
			`{"field":"a","limit":5,"reason":"too_long"}`},
		// Every 401 looks the same.
		{&fault.Error{Kind: fault.Unauthorized, Message: "m", Details: removed}, `{}`},
	} {
		r := refuse(t, nil, new(journal), tc.err)
		if !strings.Contains(r.text, `"details":`+tc.want) {
			t.Errorf("%s does not hold %s", r.text, tc.want)
		}
	}
}

// TestHeadersOfErrors tests Retry-After and the headers of the rate, in whole seconds.
func TestHeadersOfErrors(t *testing.T) {
	t.Parallel()
	who := caller()
	who.Rate = chat.Rate{Limit: 60, Remaining: -1, Reset: 1001 * time.Millisecond}
	limited := &fault.Error{Kind: fault.RateLimited, RetryAfter: 1500 * time.Millisecond}
	failed := &fault.Error{Kind: fault.ModelError, RetryAfter: time.Second} // its code carries none
	for _, tc := range []struct {
		caller *chat.Caller
		err    error
		want   [4]string
	}{
		{who, limited, [4]string{"2", "60", "0", "2"}},
		{nil, limited, [4]string{"2", "", "", ""}},
		{nil, failed, [4]string{}},
	} {
		header := refuse(t, tc.caller, new(journal), tc.err).Header
		for i, name := range []string{
			"Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset",
		} {
			if got := header.Get(name); got != tc.want[i] {
				t.Errorf("%v: %s is %q, want %q", tc.err, name, got, tc.want[i])
			}
		}
	}
}
