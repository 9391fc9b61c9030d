package bridge

import (
	"errors"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/httpapi"
)

func (ex *exchange) serveResponses() error {
	in, err := ex.read(readResponses)
	if err != nil {
		return err
	}
	return ex.answer(in, in.wholeResponse, &responsesStream{in: in})
}

func (ex *exchange) serveChat() error {
	in, err := ex.read(readChat)
	if err != nil {
		return err
	}
	return ex.answer(in, in.wholeCompletion, &chatStream{in: in})
}

// read reads the request. own reads the fields of its API.
func (ex *exchange) read(own func(*input, fields) error) (*input, error) {
	body, err := ex.readJSON(maxBody)
	if err != nil {
		return nil, err
	}
	var f fields
	if err := json.Unmarshal(body, &f, jsontext.AllowDuplicateNames(true)); err != nil { // checked before
		return nil, err
	}
	return readInput(ex.R.Header, f, own)
}

// readJSON reads the body, one JSON object of at most limit bytes. From then on, the request is in
// flight.
func (ex *exchange) readJSON(limit int64) ([]byte, error) {
	if err := httpapi.CheckJSON(ex.R.Header); err != nil {
		return nil, err
	}
	if err := httpapi.CheckDeclaredSize(ex.W, ex.R, limit); err != nil {
		return nil, err
	}
	body, err := httpapi.ReadBody(ex.W, ex.R, limit, func() error { return nil })
	if err == nil {
		err = ex.enter()
	}
	if err == nil {
		err = checkSyntax(body)
	}
	return body, err
}

// answer sends the message, and the reply in the form of the API.
func (ex *exchange) answer(in *input, whole func(*reply) any, streamed stream) error {
	key, err := httpapi.IdempotencyKey(ex.R.Header)
	if err != nil {
		return err
	}
	out, err := in.outgoing(key)
	if err != nil {
		return err
	}
	if in.ignored != "" {
		ex.W.Header().Set("X-AgentChat-Ignored", in.ignored)
	}
	if in.stream {
		return ex.sendStream(out, streamed)
	}
	got, err := ex.sender().ask(ex.R.Context(), out)
	if err != nil {
		return err
	}
	ex.pass()
	ex.SendJSON(http.StatusOK, append(httpapi.Encode(whole(got)), '\n'))
	return nil
}

// sendStream passes a streamed reply on.
func (ex *exchange) sendStream(out *outgoing, form stream) error {
	r := &relay{out: form, took: func(n int) {
		httpapi.MemoryOf(ex.R).Take(int64(n))
		out.begun = true
	}, begin: func() *httpapi.Events {
		ex.pass()
		return ex.StartEvents(httpapi.WriteTimeout)
	}}
	err := ex.sender().send(ex.R.Context(), out, r.receive)
	if err == nil || r.events == nil {
		return err
	}
	refused, ok := errors.AsType[*refusal](err)
	if ok {
		ex.logCause(refused)
	}
	if ok && (refused.cause == nil || refused.code == codeBadGateway) {
		ex.Access.Code = refused.code
		r.events.Write(form.fail(refused))
		return nil
	}
	switch {
	case errors.Is(err, errGone):
		ex.Access.Code = codeGone
	case errors.Is(err, errDiffers):
		ex.Access.Code = codeOtherReply
	default:
		ex.Access.Code = lostStream
	}
	panic(http.ErrAbortHandler) // so that the client cannot mistake the reply for a complete one
}

func (ex *exchange) sender() *sender {
	s := &sender{
		client:    ex.bridge.client,
		key:       ex.key,
		requestID: ex.Access.RequestID,
		answered:  func(h http.Header) { ex.passed = h },
	}
	if client := httpapi.ClientAddress(ex.R); client.IsValid() {
		s.address = client.String()
	}
	return s
}

// models are the models by their names.
var models = []string{modelAgent, modelHistory}

// serveModels lists the models. It does not ask the service whether the key is in use.
func (ex *exchange) serveModels() error {
	type model struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		Created int64  `json:"created"`
		OwnedBy string `json:"owned_by"`
	}
	list := struct {
		Object string  `json:"object"`
		Data   []model `json:"data"`
	}{Object: "list"}
	for _, name := range models {
		list.Data = append(list.Data, model{ID: name, Object: "model", OwnedBy: "agentchat"})
	}
	ex.SendJSON(http.StatusOK, append(httpapi.Encode(list), '\n'))
	return nil
}
