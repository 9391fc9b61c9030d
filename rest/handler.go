package rest

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/chat"
	"agentchat/internal/eventstream"
	"agentchat/internal/failpoint"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
)

// serveChat is POST /v1/agent/chat.
func (a *api) serveChat(w http.ResponseWriter, r *http.Request) {
	ex := exchangeOf(r)
	ex.access.Route = chatPath
	key, err := bearerKey(r)
	if err == nil {
		err = failpoint.Hit("rest.chat")
	}
	if err != nil {
		ex.refuse(err)
		return
	}
	entry := &admission{chat: a.chat, ex: ex, key: key.Hash()}
	req, err := a.receive(w, r, entry)
	if err != nil {
		// A refusal for the key or the rate wins over one for the request.
		if refused := entry.ask(r.Context()); refused != nil {
			err = refused
		}
		ex.refuse(err)
		return
	}
	if entry.streamed {
		a.stream(ex, req)
		return
	}
	result, err := a.chat.Send(r.Context(), req)
	if result.Caller != nil {
		ex.access.Caller = result.Caller
	}
	ex.access.ClientGone = r.Context().Err() != nil
	switch {
	case err != nil:
		ex.refuseTurn(err)
	case result.Answer == nil:
		ex.refuse(errors.New("rest: Send returned neither an answer nor an error"))
	default:
		ex.reply(result.Answer)
	}
}

// admitTimeout bounds the query for a request that is refused anyway.
const admitTimeout = 5 * time.Second

// admission asks chat.Admit at most once per request.
type admission struct {
	chat  Chat
	ex    *exchange
	key   apikey.Hash
	asked bool
	err   error
	// streamed says that the reply was asked for as a stream.
	streamed bool
}

// ask checks the key and spends the rate, the first time it is called.
//
// net/http cancels a request's context when its body cannot be read to the end, also where the client still waits for the
// answer, such as 408. So the query goes on without it, within a time of its own.
//
// Faults: Unauthorized, RateLimited, Unavailable.
func (e *admission) ask(ctx context.Context) error {
	if e.asked {
		return e.err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), admitTimeout)
	defer cancel()
	caller, err := e.chat.Admit(ctx, e.key)
	e.asked, e.err = true, err
	if caller != nil {
		e.ex.access.Caller = caller
	}
	return err
}

// receive checks and reads the request, in the order of the contract. Every fault it returns is one of the request's form,
// or the admission's own.
func (a *api) receive(w http.ResponseWriter, r *http.Request, entry *admission) (chat.Request, error) {
	if err := checkMediaType(r.Header); err != nil {
		return chat.Request{}, err
	}
	if err := checkDeclaredSize(r); err != nil {
		entry.ex.closeConnection() // rather than read it all and throw it away
		return chat.Request{}, err
	}
	if r.Header.Get("Expect") != "" {
		// Reading the body sends 100 Continue: the key comes first.
		if err := entry.ask(r.Context()); err != nil {
			return chat.Request{}, err
		}
	}
	body, err := readBody(w, r, a.bodyTimeout)
	if err != nil {
		entry.ex.closeConnection()
		return chat.Request{}, err
	}
	in, err := decode(body)
	if err != nil {
		return chat.Request{}, err
	}
	entry.streamed = in.wantsStream(eventstream.Accepted(r.Header))
	idempotency, err := idempotencyKey(r.Header)
	if err != nil {
		return chat.Request{}, err
	}
	return chat.Request{
		Key: entry.key, Message: in.message, Session: in.session, IdempotencyKey: idempotency,
		RequestID: entry.ex.access.RequestID, Admitted: entry.asked,
	}, nil
}

// refuseTurn answers an error of Send.
func (ex *exchange) refuseTurn(err error) { ex.refuse(ex.turnFault(err)) }

// turnFault is what an error of Send is called. A client that left is no fault of ours and not logged as one; it is answered
// all the same, in case only its sending side is closed.
func (ex *exchange) turnFault(err error) error {
	if ex.access.ClientGone && errors.Is(err, context.Canceled) {
		err = fault.New(fault.Unavailable, "The connection was closed before the reply was ready. "+
			"Send the message again, with the same Idempotency-Key if it had one.")
	}
	return err
}

const headerReplayed = "Idempotent-Replayed"

// reply is the JSON of a reply, in the order of the contract.
type reply struct {
	MessageID    uuid.UUID        `json:"message_id"`
	SessionID    string           `json:"session_id"`
	Reply        string           `json:"reply"`
	FinishReason llm.FinishReason `json:"finish_reason"`
	Model        string           `json:"model"`
	Usage        usage            `json:"usage"`
}

type usage struct {
	Credits          int64  `json:"credits"`
	CreditsRemaining int64  `json:"credits_remaining"`
	InputTokens      *int64 `json:"input_tokens"`
	OutputTokens     *int64 `json:"output_tokens"`
}

// reply answers 200.
func (ex *exchange) reply(a *chat.Answer) {
	if a.Replayed {
		ex.w.Header().Set(headerReplayed, "true")
	}
	ex.send(http.StatusOK, ex.replyBody(a))
}

// replyBody is the JSON of an answer, which it records.
func (ex *exchange) replyBody(a *chat.Answer) reply {
	ex.access.InputTokens, ex.access.OutputTokens, ex.access.Replayed = a.InputTokens, a.OutputTokens, a.Replayed
	if !a.Replayed {
		ex.access.Credits = a.Credits
	}
	return reply{
		MessageID: a.MessageID, SessionID: a.Session, Reply: a.Reply, FinishReason: a.FinishReason, Model: a.Model,
		Usage: usage{
			Credits: a.Credits, CreditsRemaining: a.CreditsRemaining,
			InputTokens: a.InputTokens, OutputTokens: a.OutputTokens,
		},
	}
}
