package rest

import (
	"log/slog"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
	"agentchat/internal/llm"
)

// AccessRecord describes one request, in the access line and through Config.Observe. It never holds
// text, a key or a query.
type AccessRecord struct {
	httpapi.AccessRecord
	// Caller is nil until a valid key has been seen.
	Caller *chat.Caller
	// Credits is the charge of this request: 0 for a refusal and for a replay.
	Credits int64
	// InputTokens and OutputTokens are nil without a reply, and when its model reported none.
	InputTokens  *int64
	OutputTokens *int64
	// Replayed marks the stored reply to an earlier request.
	Replayed bool
	// Own is the part of the reply's time that was neither a wait for another turn nor a model's (see
	// timing); 0 without a reply.
	Own time.Duration
	// Client is the request's address.
	Client netip.Addr
	// Turn, Model and Version are set if the turn began.
	Turn    uuid.UUID
	Model   string
	Version int
	// Cause is the cause of a failed model call; empty for none.
	Cause llm.Cause
	// ClientGone says that the client had left before the answer was ready.
	ClientGone bool
	// Rejected is set if the request began no turn but had a key, valid or not.
	Rejected *RejectedRequest
}

// RejectedRequest describes a request that began no turn, for the list of requests.
type RejectedRequest struct {
	Key apikey.Hash
	At  time.Time
	// Detail is the error's message.
	Detail        string
	ClientAddress netip.Addr
	// SessionID and UserID are nil if there were none, if they could not be read, and if the
	// conversation was deleted.
	SessionID, UserID *string
	Streamed          bool
	// Turn is the turn whose stored reply was sent. For a refusal it is the turn that may have begun
	// unseen.
	Turn uuid.UUID
}

// attrs are the access line's attributes in addition to those of every API.
func (a *AccessRecord) attrs() []slog.Attr {
	var attrs []slog.Attr
	if a.Client.IsValid() {
		attrs = append(attrs, slog.String("client", a.Client.String()))
	}
	if a.Model != "" {
		attrs = append(attrs, slog.String("turn", a.Turn.String()), slog.String("model", a.Model), slog.Int("version", a.Version))
	}
	if a.Cause != "" {
		attrs = append(attrs, slog.String("cause", string(a.Cause)))
	}
	if a.Credits != 0 {
		attrs = append(attrs, slog.Int64("credits", a.Credits))
	}
	if a.InputTokens != nil {
		attrs = append(attrs, slog.Int64("input_tokens", *a.InputTokens))
	}
	if a.OutputTokens != nil {
		attrs = append(attrs, slog.Int64("output_tokens", *a.OutputTokens))
	}
	if a.Replayed {
		attrs = append(attrs, slog.Bool("replayed", true))
	}
	if a.ClientGone {
		attrs = append(attrs, slog.Bool("client_gone", true))
	}
	return attrs
}

// request is one request with its answer.
type request struct {
	*httpapi.Exchange
	record AccessRecord
	// detail is the message of the error that was sent.
	detail string
	// arrived, msg and streamed are set once the body was read, and timing with the reply.
	arrived  time.Time
	msg      chat.Message
	streamed bool
	timing   timing
	// begun says that the message began the turn.
	begun bool
	turn  uuid.UUID
}

// recordResult records the turn of a message, and its answer.
func (req *request) recordResult(r chat.Result) {
	req.turn = r.Turn
	req.record.Turn, req.record.Model, req.record.Version, req.record.Cause = r.Turn, r.Model, r.Version, r.Cause
	if a := r.Answer; a != nil && a.Replayed {
		req.turn = a.MessageID
	} else {
		req.begun = a != nil || r.FailedTurn != uuid.Nil
	}
	if r.Answer != nil {
		req.recordAnswer(r.Answer)
	}
}

// rejected describes a request that began no turn; nil for others, and for those without a key.
func (req *request) rejected() *RejectedRequest {
	if req.begun || req.Access.Code == "" && !req.record.Replayed {
		return nil
	}
	session, user := req.msg.Session, req.msg.UserID
	if req.Access.Code == string(fault.ConversationDeleted) { // erased ids are not stored again
		session, user = nil, nil
	}
	for _, header := range req.R.Header["Authorization"] {
		if key, ok := apikey.Parse(httpapi.BearerToken(http.Header{"Authorization": {header}})); ok {
			return &RejectedRequest{Key: key.Hash(), At: time.Now().Add(-req.Access.Duration), Detail: req.detail,
				ClientAddress: httpapi.ClientAddress(req.R), SessionID: session, UserID: user, Streamed: req.streamed,
				Turn: req.turn}
		}
	}
	return nil
}

// identify records the caller; nil if unknown.
func (req *request) identify(caller *chat.Caller) {
	if caller == nil {
		return
	}
	req.record.Caller = caller
	req.Caller = []slog.Attr{
		slog.String("account", caller.AccountID.String()),
		slog.String("agent", caller.AgentID.String()),
		slog.String("export", caller.ExportID.String()),
	}
}

// refuse answers with an error. Internal faults are logged with their cause.
func (req *request) refuse(err error) {
	req.sendError(req.Describe(answers, err))
}

// refusePanic answers 500 after a panic, which has been logged.
func (req *request) refusePanic() {
	answer, object := answers.Describe(fault.New(fault.Internal, ""))
	req.Access.Code = string(object.Code)
	req.sendError(answer, httpapi.ErrorBody{Error: object, RequestID: req.Access.RequestID})
}

func (req *request) sendError(answer httpapi.Answer, body httpapi.ErrorBody) {
	req.detail = body.Error.Message
	if body.Error.Code != fault.Unauthorized { // every 401 must look the same
		req.setRate()
	}
	req.SendError(answer, body)
}

// setRate sets the RateLimit headers for a valid caller.
func (req *request) setRate() {
	if req.record.Caller == nil {
		return
	}
	rate, header := req.record.Caller.Rate, req.W.Header()
	header.Set("RateLimit-Limit", strconv.Itoa(rate.Limit))
	header.Set("RateLimit-Remaining", strconv.Itoa(max(0, rate.Remaining)))
	header.Set("RateLimit-Reset", strconv.Itoa(max(0, int(math.Ceil(rate.Reset.Seconds())))))
}
