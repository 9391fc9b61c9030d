package rest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
	"agentchat/internal/llm"
)

// maxBodyBytes is the largest body that is accepted.
const maxBodyBytes = 256 << 10

// serveChat handles POST /v1/agent/chat.
func (a *api) serveChat(req *request) {
	key, err := bearerKey(req.R)
	if err != nil {
		req.refuse(err)
		return
	}
	check := &keyCheck{api: a, req: req, key: key.Hash()}
	in, err := a.receive(req, check)
	if err == nil && in.Rating == nil {
		req.msg, req.streamed, err = a.message(req, check, in)
	}
	if err != nil {
		// An error of the key or the rate limit takes precedence over one of the request.
		if refused := check.check(); refused != nil {
			err = refused
		}
		req.refuse(err)
		return
	}
	switch {
	case in.Rating != nil:
		a.rate(req, check, in)
	case req.streamed:
		a.stream(req, req.msg)
	default:
		a.send(req)
	}
}

// send answers a message, whole or in the background.
func (a *api) send(req *request) {
	result, err := req.ask(a.chat, req.msg)
	req.identify(result.Caller)
	req.record.ClientGone = req.R.Context().Err() != nil
	req.recordResult(result)
	if err != nil {
		req.refuse(req.turnFault(err))
		return
	}
	if result.InProgress != nil {
		req.accept(result.InProgress)
		return
	}
	req.W.Header().Set(headerServerTiming, req.timing.String())
	req.reply(result.Answer)
}

// ask sends a message to the service, and measures it.
func (req *request) ask(service Chat, msg chat.Message) (chat.Result, error) {
	result, err := service.Send(req.R.Context(), msg)
	if result.Answer != nil {
		req.timing = timingOf(time.Since(req.arrived), result)
	}
	return result, err
}

// receive checks and reads the body, in the order of the contract. Its faults are about the
// request's form or come from the key check.
func (a *api) receive(req *request, check *keyCheck) (in input, err error) {
	if err := httpapi.CheckJSON(req.R.Header); err != nil {
		return in, err
	}
	if err := httpapi.CheckDeclaredSize(req.W, req.R, maxBodyBytes); err != nil {
		return in, err
	}
	if req.R.Header.Get("Expect") != "" {
		// Reading the body sends 100 Continue: check the key first.
		if err := check.check(); err != nil {
			return in, err
		}
	}
	body, err := httpapi.ReadLargeBody(req.W, req.R, maxBodyBytes, check.check)
	req.arrived = time.Now()
	if err != nil {
		return in, err
	}
	return decode(body)
}

// message returns the message of a body without a rating. streamed means that the reply is a stream.
// The faults are about the headers and about background messages.
func (a *api) message(req *request, check *keyCheck, in input) (msg chat.Message, streamed bool, err error) {
	idempotency, err := httpapi.IdempotencyKey(req.R.Header)
	if err != nil {
		return msg, false, err
	}
	if in.inBackground() {
		if problem := a.checkBackground(idempotency); problem != nil {
			return msg, false, fault.Invalid(*problem)
		}
	}
	return chat.Message{
		Key: check.key, Address: req.record.Client, Text: in.text(), Results: in.results, Session: in.SessionID, UserID: in.UserID,
		Variables: in.values(), Background: in.inBackground(),
		IdempotencyKey: idempotency, RequestID: req.Access.RequestID, KeyChecked: check.done,
		Memory: httpapi.MemoryOf(req.R),
	}, in.wantsStream(httpapi.PrefersEvents(req.R.Header)), nil
}

// checkBackground returns why a message cannot be answered in the background; nil if it can.
func (a *api) checkBackground(idempotencyKey string) *fault.Field {
	switch {
	case a.noBackground:
		return &fault.Field{Path: "background", Reason: fault.InvalidValue,
			Message: "Background messages are switched off."}
	case idempotencyKey == "":
		return &fault.Field{Path: "Idempotency-Key", Reason: fault.Missing,
			Message: "A background message needs an Idempotency-Key: the same request asks for its reply."}
	}
	return nil
}

// turnFault replaces an error that Send returned because the client has left: it is not an internal
// fault and is not logged. It is answered nevertheless, in case the client has closed only its
// sending side.
func (req *request) turnFault(err error) error {
	if req.record.ClientGone && errors.Is(err, context.Canceled) {
		return fault.New(fault.Unavailable, "The connection was closed before the reply was ready. "+
			"Send the request again, with the same Idempotency-Key if it had one.")
	}
	return err
}

// reply is the JSON of a reply, in the order of the contract.
type reply struct {
	MessageID    uuid.UUID                 `json:"message_id"`
	SessionID    string                    `json:"session_id"`
	Reply        string                    `json:"reply"`
	Output       json.RawMessage           `json:"output,omitzero"` // {} is an output
	FinishReason llm.FinishReason          `json:"finish_reason"`
	Actions      []conversation.ActionCall `json:"actions,omitempty"`
	Sources      []source                  `json:"sources,omitzero"` // [] is sent
	Model        string                    `json:"model"`
	AgentVersion int                       `json:"agent_version"`
	Usage        usage                     `json:"usage"`
}

// source is a passage that a reply cites.
type source struct {
	N        int       `json:"n"`
	SourceID uuid.UUID `json:"source_id"`
	Name     string    `json:"name"`
	Heading  *string   `json:"heading"`
	Page     *int      `json:"page"`
}

type usage struct {
	Credits          int64  `json:"credits"`
	CreditsRemaining int64  `json:"credits_remaining"`
	InputTokens      *int64 `json:"input_tokens"`
	OutputTokens     *int64 `json:"output_tokens"`
}

// accepted is the JSON of a background message in progress.
type accepted struct {
	MessageID uuid.UUID `json:"message_id"`
	SessionID string    `json:"session_id"`
	Status    string    `json:"status"`
}

// accept answers a background message in progress.
func (req *request) accept(turn *chat.BegunTurn) {
	req.setRate()
	req.W.Header().Set("Retry-After", "5")
	body := accepted{MessageID: turn.MessageID, SessionID: turn.Session, Status: "in_progress"}
	req.SendJSON(http.StatusAccepted, append(httpapi.Encode(body), '\n'))
}

// reply sends an answer with status 200.
func (req *request) reply(a *chat.Answer) {
	req.setRate()
	req.SendJSON(http.StatusOK, append(replyBody(a), '\n'))
}

// recordAnswer records the charge and the time, and sets the header that marks a replay.
func (req *request) recordAnswer(a *chat.Answer) {
	record := &req.record
	record.Own = req.timing.own()
	record.InputTokens, record.OutputTokens, record.Replayed = a.InputTokens, a.OutputTokens, a.Replayed
	if a.Replayed {
		req.setReplayed()
	} else {
		record.Credits = a.Credits
	}
}

// setReplayed marks the reply to an earlier request.
func (req *request) setReplayed() { req.W.Header().Set("Idempotent-Replayed", "true") }

func replyBody(a *chat.Answer) []byte {
	var output json.RawMessage
	if a.Structured {
		output = json.RawMessage(a.Reply)
	}
	return httpapi.Encode(reply{
		MessageID: a.MessageID, SessionID: a.Session, Reply: a.Reply, Output: output, FinishReason: a.FinishReason, Actions: a.Actions,
		Sources: sourcesOf(a.Sources), Model: a.Model, AgentVersion: a.Version,
		Usage: usage{
			Credits: a.Credits, CreditsRemaining: a.CreditsRemaining,
			InputTokens: a.InputTokens, OutputTokens: a.OutputTokens,
		},
	})
}

// sourcesOf returns nil for nil.
func sourcesOf(cited []conversation.GivenPassage) []source {
	if cited == nil {
		return nil
	}
	sources := make([]source, len(cited))
	for i, c := range cited {
		sources[i] = source{N: c.N, SourceID: c.SourceID, Name: c.Name}
		if c.Heading != "" {
			sources[i].Heading = &c.Heading
		}
		if c.Page > 0 {
			sources[i].Page = &c.Page
		}
	}
	return sources
}
