package chat

import (
	"context"
	"crypto/rand"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// TestRequest is one message of the panel's playground: the same engine and the same price as a Request, for the account that
// is signed in. Drafts answer too, once they have a model.
type TestRequest struct {
	AccountID, AgentID uuid.UUID
	// Message is stored and sent exactly as given; the edge has checked its form.
	Message string
	// Session is the conversation's label, of the playground's own; nil asks for a new conversation.
	Session        *string
	IdempotencyKey string
	RequestID      string
	// Stream is told of the reply while it comes; nil for callers who wait for the whole.
	Stream Stream
	// Stop ends the reply when it is closed: the turn fails before the first word, and is answered with the text so far after
	// it. nil lets every reply come to its end.
	Stop <-chan struct{}
}

// TestResult is what became of a message that was let in.
type TestResult struct {
	// TurnID is the stored turn, answered or failed.
	TurnID uuid.UUID
	// CreditsRemaining is what was available after an answered message; it is not known for a failed one, which took nothing.
	CreditsRemaining int64
	// Failure is why the turn failed; nil when it was answered.
	Failure error
}

// SendTest answers one message of the playground. A model's failure is a failed turn and not an error. Faults: NotFound for an
// agent that is not the account's, and those of Send for refusals.
func (s *Service) SendTest(ctx context.Context, req TestRequest) (TestResult, error) {
	defer s.enter()()
	t := &turn{id: uuid.Must(uuid.NewV7()), arrived: time.Now(), test: &req, req: Request{Message: req.Message,
		Session: req.Session, IdempotencyKey: req.IdempotencyKey, RequestID: req.RequestID, Stream: req.Stream, Admitted: true}}
	if req.Session == nil {
		t.session = rand.Text()[:randomLabelBytes]
	} else {
		t.session = *req.Session
		t.place = s.lines.enterPlayground(req.AgentID, t.session)
	}
	defer t.handOver()
	answer, err := s.run(ctx, t)
	switch {
	case err == nil:
		return TestResult{TurnID: answer.MessageID, CreditsRemaining: answer.CreditsRemaining}, nil
	case fault.Is(err, fault.Unauthorized):
		return TestResult{}, fault.New(fault.NotFound, "")
	case t.began && isModels(err):
		if fault.Is(err, fault.Internal) { // nobody above sees it as an error
			s.cfg.Logger.ErrorContext(ctx, "internal fault", slog.String("request_id", req.RequestID),
				slog.String("account", req.AccountID.String()), slog.String("error", err.Error()))
		}
		return TestResult{TurnID: t.id, Failure: err}, nil
	}
	return TestResult{}, err
}

// stopped is closed when the reader of the reply has had enough; nil for replies that nobody can stop.
func (t *turn) stopped() <-chan struct{} {
	if t.test == nil {
		return nil
	}
	return t.test.Stop
}

// isModels reports whether an error of a turn that began is its model's, real or made up by the sandbox, or its reader's, rather than ours.
func isModels(err error) bool {
	return !fault.Is(err, fault.Unavailable) && !fault.Is(err, fault.ConversationDeleted)
}
