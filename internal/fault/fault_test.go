package fault_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"agentchat/internal/fault"
)

const marker = "MARKER-of-a-cause"

var kinds = []fault.Kind{fault.Internal, fault.InvalidInput, fault.Unauthorized, fault.NotFound,
	fault.Conflict,
	fault.InsufficientCredits, fault.AgentNotReady, fault.ConversationDeleted, fault.SessionBusy,
	fault.RequestInProgress,
	fault.IdempotencyKeyReused, fault.RateLimited, fault.ContentBlocked, fault.ModelError,
	fault.ModelUnavailable,
	fault.ModelTimeout, fault.Unavailable, fault.InvalidCredentials, fault.SignUpClosed}

func TestTheTwoTextsNeverMix(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		err := fmt.Errorf("outer: %w", fault.Wrap(kind, errors.New(marker)))
		if fault.KindOf(err) != kind || !fault.Is(err, kind) {
			t.Errorf("%s: kind %s", kind, fault.KindOf(err))
		}
		if !strings.Contains(err.Error(), marker) {
			t.Errorf("%s: the log lacks the cause: %s", kind, err)
		}
		text := fault.ClientMessage(err)
		if strings.Contains(text, marker) || len(text) < 20 || !strings.HasSuffix(text, ".") {
			t.Errorf("%s: client text %q", kind, text)
		}
	}
}

func TestUnknownErrorsAreInternal(t *testing.T) {
	t.Parallel()
	err := errors.New(marker)
	if fault.KindOf(err) != fault.Internal || strings.Contains(fault.ClientMessage(err), marker) {
		t.Errorf("kind %s, client text %q", fault.KindOf(err), fault.ClientMessage(err))
	}
	if fault.Is(nil, fault.Internal) {
		t.Error("nil is an internal error")
	}
}

func TestInvalidListsItsFields(t *testing.T) {
	t.Parallel()
	err := fault.Invalid(fault.Field{Path: "a", Reason: fault.Missing, Message: "Give a."},
		fault.Field{Path: "b", Reason: fault.TooLong})
	if len(err.Fields) != 2 || fault.ClientMessage(err) != "Give a." ||
		err.Kind != fault.InvalidInput {
		t.Errorf("%+v", err)
	}
	cause := errors.New(marker)
	if !errors.Is(fault.Wrap(fault.Internal, cause), cause) {
		t.Error("the cause cannot be found")
	}
}
