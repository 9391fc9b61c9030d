package e2e_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
)

// sentCall is a call of a scenario that was answered, as its owner must find it by its request id.
type sentCall struct {
	name      string
	account   uuid.UUID
	requestID string
	got       answer
	outcome   conversation.Outcome
	// keyed says that the request had the account's key where it belongs.
	keyed bool
}

// remember keeps an answer for checkCalls.
func (d *deployment) remember(caller *apiCaller, s scenario, got answer) {
	call := sentCall{name: s.name, account: caller.Account.ID, requestID: got.Header.Get("X-Request-Id"), got: got, keyed: true}
	switch {
	case s.code == byGo || call.requestID == "":
		return
	case s.failed:
		call.outcome = conversation.CallFailed
	case s.code != "":
		call.outcome = conversation.CallRefused
	default:
		call.outcome = conversation.CallAnswered
	}
	if s.raw != "" {
		head, _, _ := strings.Cut(s.raw, "\r\n\r\n")
		call.keyed = strings.Contains(head+"\r\n", "\r\nAuthorization: Bearer {key}\r\n")
	}
	for i := 0; i+1 < len(s.header); i += 2 {
		if s.header[i] == "Authorization" {
			call.keyed = s.header[i+1] == "Bearer {key}"
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls = append(d.calls, call)
}

// checkCalls finds every call of the scenarios by its request id, as its owner would, once the replicas have ended. A refused one says
// what its caller was told. Nobody else finds it.
func (d *deployment) checkCalls(t *testing.T) {
	t.Helper()
	codes := map[string]int{}
	for _, c := range d.calls {
		call, err := d.store.CallByRequestID(t.Context(), c.account, c.requestID)
		switch {
		case fault.Is(err, fault.NotFound) && !c.keyed:
			continue
		case err != nil:
			t.Errorf("%s: %d %s is not found: %v", c.name, c.got.Status, c.got.Error.Code, err)
			continue
		}
		code, detail := "", ""
		if call.Code != nil {
			code = *call.Code
		}
		if call.Detail != nil {
			detail = *call.Detail
		}
		if len(c.got.Body) == 0 { // HEAD
			code, detail = "", ""
		}
		if call.Outcome != c.outcome || code != c.got.Error.Code || c.outcome == conversation.CallRefused && detail != c.got.Error.Message {
			t.Errorf("%s: found as %s %s %q, was %s %d %s %q", c.name, call.Outcome, code, detail, c.outcome, c.got.Status, c.got.Error.Code,
				c.got.Error.Message)
		}
		if other := d.calls[0].account; other != c.account {
			if _, err := d.store.CallByRequestID(t.Context(), other, c.requestID); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: another account finds it: %v", c.name, err)
			}
		}
		codes[code]++
	}
	t.Logf("calls found by code: %v", codes)
}
