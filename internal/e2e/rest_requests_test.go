package e2e_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store/conversations"
)

// sentRequest is a request of a scenario that was answered, as its owner must find it by its request id.
type sentRequest struct {
	name      string
	account   uuid.UUID
	requestID string
	got       answer
	outcome   conversation.Outcome
	// keyed says that the request had the account's key where it belongs.
	keyed bool
}

// remember keeps an answer for checkRequests.
func (d *deployment) remember(caller *apiCaller, s scenario, got answer) {
	request := sentRequest{name: s.name, account: caller.Account.ID, requestID: got.Header.Get("X-Request-Id"), got: got, keyed: true}
	switch {
	case s.code == byGo || request.requestID == "":
		return
	case s.failed:
		request.outcome = conversation.RequestFailed
	case s.code != "":
		request.outcome = conversation.RequestRefused
	default:
		request.outcome = conversation.RequestAnswered
	}
	if s.raw != "" {
		head, _, _ := strings.Cut(s.raw, "\r\n\r\n")
		request.keyed = strings.Contains(head+"\r\n", "\r\nAuthorization: Bearer {key}\r\n")
	}
	for i := 0; i+1 < len(s.header); i += 2 {
		if s.header[i] == "Authorization" {
			request.keyed = s.header[i+1] == "Bearer {key}"
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sent = append(d.sent, request)
}

// checkRequests finds every request of the scenarios by its request id, as its owner would, once the replicas have ended. A refused one says
// what its caller was told. Nobody else finds it.
func (d *deployment) checkRequests(t *testing.T) {
	t.Helper()
	codes := map[string]int{}
	for _, c := range d.sent {
		request, err := conversations.On(d.store).RequestByRequestID(t.Context(), c.account, c.requestID)
		switch {
		case fault.Is(err, fault.NotFound) && !c.keyed:
			continue
		case err != nil:
			t.Errorf("%s: %d %s is not found: %v", c.name, c.got.Status, c.got.Error.Code, err)
			continue
		}
		code, detail := "", ""
		if request.Code != nil {
			code = *request.Code
		}
		if request.Detail != nil {
			detail = *request.Detail
		}
		if len(c.got.Body) == 0 { // HEAD
			code, detail = "", ""
		}
		if request.Outcome != c.outcome || code != c.got.Error.Code || c.outcome == conversation.RequestRefused && detail != c.got.Error.Message {
			t.Errorf("%s: found as %s %s %q, was %s %d %s %q", c.name, request.Outcome, code, detail, c.outcome, c.got.Status, c.got.Error.Code,
				c.got.Error.Message)
		}
		if other := d.sent[0].account; other != c.account {
			if _, err := conversations.On(d.store).RequestByRequestID(t.Context(), other, c.requestID); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: another account finds it: %v", c.name, err)
			}
		}
		codes[code]++
	}
	t.Logf("requests found by code: %v", codes)
}
