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

func TestNothingOfACauseReachesTheClient(t *testing.T) {
	t.Parallel()
	const marker = "marker-7f3a select * from /etc/secret"
	var kinds []fault.Kind
	for kind := range contract {
		kinds = append(kinds, kind)
	}
	for _, kind := range append(kinds, "no such kind") {
		for name, err := range map[string]error{
			"wrapped":       fault.Wrap(kind, errors.New(marker)),
			"wrapped twice": fmt.Errorf("%s: %w", marker, fault.Wrap(kind, fmt.Errorf("x: %w", errors.New(marker)))),
		} {
			log := new(journal)
			r := refuse(t, caller(), log, err)
			r.problem(t)
			if dump := fmt.Sprint(r.Header, r.text); strings.Contains(dump, "marker-7f3a") {
				t.Errorf("%s, %s: the client sees the cause: %s", kind, name, dump)
			}
			ours := r.StatusCode == http.StatusInternalServerError || kind == fault.Unavailable
			if logged := strings.Count(log.String(), "\n"); ours && logged != 1 || !ours && logged != 0 {
				t.Errorf("%s, %s: logged %d lines: %s", kind, name, logged, log)
			}
		}
	}
}

func TestUnknownErrorsAreInternal(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"plain": errors.New("marker-7f3a"),
		"unknown kind": &fault.Error{Kind: "novel", Message: "marker-7f3a",
			Details: map[string]any{"marker-7f3a": 1}},
	} {
		log, who := new(journal), caller()
		r := refuse(t, who, log, err)
		p := r.refused(t, http.StatusInternalServerError, "internal")
		if strings.Contains(r.text, "marker-7f3a") || len(p.Error.Details) != 0 {
			t.Errorf("%s: the client sees %s", name, r.text)
		}
		for _, part := range []string{"marker-7f3a", who.AccountID.String(), p.RequestID} {
			if !strings.Contains(log.String(), part) {
				t.Errorf("%s: the log lacks %s: %s", name, part, log)
			}
		}
	}
}

func TestErrorDetails(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		err  error
		want string
	}{
		{"none", fault.New(fault.ModelError, ""), `"details":{}`},
		{"credits", &fault.Error{Kind: fault.InsufficientCredits, Details: map[string]any{
			"credits_required": int64(3), "credits_available": int64(1)}}, `"details":{"credits_available":1,"credits_required":3}`},
		{"reason", &fault.Error{Kind: fault.AgentNotReady, Details: map[string]any{"reason": "draft"}},
			`"details":{"reason":"draft"}`},
		{"field", fault.Invalid(fault.Field{Path: "message", Reason: fault.Blank, Message: "m"}),
			`"details":{"field":"message","reason":"blank"}`},
		{"first field with limit", fault.Invalid(
			fault.Field{Path: "message", Reason: fault.TooLong, Message: "m", Limit: 5}, fault.Field{Path: "stream"}),
			`"details":{"field":"message","limit":5,"reason":"too_long"}`},
		{"unauthorized has no details",
			&fault.Error{Kind: fault.Unauthorized, Message: "m",
				Details: map[string]any{"reason": "removed"}},
			`"details":{}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := refuse(t, nil, new(journal), tc.err)
			r.problem(t)
			if !strings.Contains(r.text, tc.want) {
				t.Errorf("%s does not hold %s", r.text, tc.want)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	r := refuse(t, nil, new(journal), &fault.Error{Kind: fault.RateLimited, RetryAfter: 1500 * time.Millisecond})
	if got := r.Header.Get("Retry-After"); got != "2" {
		t.Errorf("Retry-After is %s, want 2: the fault's, rounded up", got)
	}
	r = refuse(t, nil, new(journal), &fault.Error{Kind: fault.ModelError, RetryAfter: time.Second})
	if got := r.Header.Get("Retry-After"); got != "" {
		t.Errorf("Retry-After is %s on a code that carries none", got)
	}
}

func TestRateHeaders(t *testing.T) {
	t.Parallel()
	who := caller()
	who.Rate = chat.Rate{Limit: 60, Remaining: -1, Reset: 1001 * time.Millisecond}
	r := refuse(t, who, new(journal), fault.New(fault.RateLimited, ""))
	for name, want := range map[string]string{"RateLimit-Limit": "60", "RateLimit-Remaining": "0",
		"RateLimit-Reset": "2"} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	r = refuse(t, nil, new(journal), fault.New(fault.Unavailable, ""))
	if got := r.Header.Get("RateLimit-Limit"); got != "" {
		t.Errorf("RateLimit-Limit is %q without a caller", got)
	}
}
