package bridge

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
	"agentchat/internal/sse"
)

// stream writes a streamed reply in the form of an API.
type stream interface {
	// start is called once, before the others. The ids of all items but the calls have its reference.
	start(r reference) string
	text(piece string) string
	end(r *reply) string
	fail(refused *refusal) string
}

// relay passes a streamed reply on to the client. It outlives a cut: the repeated message gets the
// same reply, and relay sends only its rest.
type relay struct {
	out stream
	// begin sends the header and returns the stream to the client.
	begin func() *httpapi.Events
	// events is nil until the stream begins.
	events *httpapi.Events
	sent   strings.Builder
	// took is called with the number of bytes of each piece of the text, which is kept.
	took func(int)
}

const invalidEvent = "an event of the stream is invalid or out of order"

// errDiffers ends a stream whose repeated message got another reply than the one that was cut.
var errDiffers = errors.New("the repeated message got another reply")

// receive reads a stream of the service. Errors: *lost, *refusal, errGone, errDiffers.
func (r *relay) receive(response *http.Response) error {
	if mediaType(response) != mediaTypeEvents {
		return badGateway("the answer is not a stream")
	}
	events := sse.NewEvents(response.Body)
	defer events.Close()
	events.OnComment = func() {
		if r.events != nil {
			r.events.Write(httpapi.Comment)
		}
	}
	at := 0 // in the text of this attempt
	for {
		ev, err := events.Next()
		switch {
		case errors.Is(err, errTooLong):
			return badGateway(err.Error())
		case err == nil && ev.Cut:
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return &lost{lostStream, err}
		}
		switch ev.Name {
		case "start":
			err = r.start(ev.Data)
		case "delta":
			err = r.delta(ev.Data, &at)
		case "end":
			return r.end(ev.Data)
		case "error":
			return r.failed(ev.Data)
		}
		if err == nil && r.events != nil && r.events.Gone() {
			err = errGone
		}
		if err != nil {
			return err
		}
	}
}

func (r *relay) start(data []byte) error {
	var start struct {
		MessageID uuid.UUID `json:"message_id"`
		SessionID string    `json:"session_id"`
	}
	if json.Unmarshal(data, &start) != nil || start.SessionID == "" {
		return badGateway(invalidEvent)
	}
	if r.events == nil {
		r.events = r.begin()
		r.events.Write(r.out.start(reference{start.SessionID, start.MessageID}))
	}
	return nil
}

// delta sends a piece of the text, but for the part that was sent before a cut. at is its place.
func (r *relay) delta(data []byte, at *int) error {
	var delta struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(data, &delta) != nil || r.events == nil {
		return badGateway(invalidEvent)
	}
	known := r.sent.String()[min(*at, r.sent.Len()):]
	*at += len(delta.Text)
	known = known[:min(len(known), len(delta.Text))]
	rest, same := strings.CutPrefix(delta.Text, known)
	if !same {
		return errDiffers
	}
	r.write(rest)
	return nil
}

func (r *relay) write(piece string) {
	if piece != "" {
		r.sent.WriteString(piece)
		r.took(len(piece))
		r.events.Write(r.out.text(piece))
	}
}

func (r *relay) end(data []byte) error {
	whole, err := parseReply(data)
	if err != nil || r.events == nil {
		return badGateway(invalidEvent)
	}
	rest, same := strings.CutPrefix(whole.Reply, r.sent.String())
	if !same {
		return errDiffers
	}
	r.write(rest)
	r.events.Write(r.out.end(whole))
	return nil
}

// failed returns the error that ends a stream of the service.
func (r *relay) failed(data []byte) error {
	var body struct {
		Error serviceError `json:"error"`
	}
	if json.Unmarshal(data, &body) != nil || body.Error.Code == "" {
		return badGateway(invalidEvent)
	}
	answer, known := answers[fault.Kind(body.Error.Code)]
	if !known {
		answer.Status = http.StatusInternalServerError
	}
	return body.Error.refusalOf(answer.Status, "", nil)
}
