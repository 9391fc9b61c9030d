package rest_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/rest"
)

// contractRow is a row of the public table of errors.
type contractRow struct {
	status     int
	retryAfter bool
}

// contract is the public table of errors.
var contract = map[fault.Kind]contractRow{
	"invalid_json": {400, false}, "invalid_request": {400, false}, "invalid_idempotency_key": {400, false},
	"invalid_authorization": {400, false}, "request_timeout": {408, false}, "unauthorized": {401, false},
	"insufficient_credits": {402, false},
	"limit_reached":        {402, false},
	"account_suspended":    {403, false},
	"export_paused":        {403, false},
	"user_blocked":         {403, false},
	"not_found":            {404, false}, "method_not_allowed": {405, false},
	"agent_not_ready":      {409, false},
	"action_mismatch":      {409, false},
	"conversation_deleted": {410, false},
	"session_busy":         {409, true},
	"request_in_progress":  {409, true}, "payload_too_large": {413, false}, "unsupported_media_type": {415, false},
	"idempotency_key_reused": {422, false}, "content_blocked": {422, false}, "rate_limited": {429, true},
	"internal":          {500, false},
	"model_error":       {502, false},
	"invalid_output":    {502, false},
	"model_unavailable": {503, true},
	"unavailable":       {503, true},
	"model_timeout":     {504, false},
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

func TestEveryKindHasItsAnswer(t *testing.T) {
	t.Parallel()
	for kind, want := range contract {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := refuse(t, caller(), new(journal), fmt.Errorf("around: %w", fault.New(kind, "Do this.")))
			p := r.refused(t, want.status, string(kind))
			if wantText := "Do this."; kind != fault.Unauthorized && p.Error.Message != wantText {
				t.Errorf("message is %q, want %q", p.Error.Message, wantText)
			}
			wait := r.Header.Get("Retry-After")
			if seconds, err := strconv.Atoi(wait); want.retryAfter != (wait != "") || want.retryAfter &&
				(err != nil || seconds < 1) {
				t.Errorf("Retry-After is %q", wait)
			}
			if got := r.Header.Get("WWW-Authenticate"); (got != "") != (kind == fault.Unauthorized) {
				t.Errorf("WWW-Authenticate is %q", got)
			}
			if got := r.Header.Get("RateLimit-Limit"); (got == "60") == (kind == fault.Unauthorized) {
				t.Errorf("RateLimit-Limit is %q", got)
			}
		})
	}
}

// panelOnly are the kinds that only the panel's operations raise.
var panelOnly = map[fault.Kind]bool{"invalid_credentials": true, "sign_up_closed": true,
	"second_factor_required": true, "stopped": true, "conflict": true}

// Every other kind of package fault must be in the table: one that is not is answered as an
// internal fault.
func TestTheTableHoldsEveryKindOfTheCore(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "../internal/fault/fault.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if kind, ok := spec.Type.(*ast.Ident); !ok || kind.Name != "Kind" {
			return true
		}
		for _, value := range spec.Values {
			text, err := strconv.Unquote(value.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			found++
			if panelOnly[fault.Kind(text)] {
				continue
			}
			status, listed := rest.StatusOf(fault.Kind(text))
			if want, known := contract[fault.Kind(text)]; !listed || !known || status != want.status {
				t.Errorf("kind %s: status %d, listed %v; the contract knows it: %v", text, status, listed, known)
			}
		}
		return true
	})
	if found < 15 {
		t.Errorf("found only %d kinds", found)
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
	for kind := range contract {
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
		switch _, known := contract[kind]; {
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
