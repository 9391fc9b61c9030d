package bridge

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
)

// reply is a reply of the chat API.
type reply struct {
	MessageID    uuid.UUID      `json:"message_id"`
	SessionID    string         `json:"session_id"`
	Reply        string         `json:"reply"`
	Output       jsontext.Value `json:"output"`
	FinishReason string         `json:"finish_reason"`
	Actions      []action       `json:"actions"`
	Sources      jsontext.Value `json:"sources"`
	Model        string         `json:"model"`
	AgentVersion int64          `json:"agent_version"`
	Usage        struct {
		Credits          int64  `json:"credits"`
		CreditsRemaining int64  `json:"credits_remaining"`
		InputTokens      *int64 `json:"input_tokens"`
		OutputTokens     *int64 `json:"output_tokens"`
	} `json:"usage"`
}

// action is an action that a reply asks for.
type action struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Arguments jsontext.Value `json:"arguments"`
}

// The reasons why a reply ended, in the chat API.
const (
	finishActions = "actions"
	finishLength  = "length"
	finishTimeout = "timeout"
	finishBlocked = "content_blocked"
)

// serviceError is an error of the chat API.
type serviceError struct {
	Code    string         `json:"code"`
	Message string         `json:"message"`
	Details map[string]any `json:"details"`
}

// reference returns the reply's message.
func (r *reply) reference() reference { return reference{r.SessionID, r.MessageID} }

// isUsable reports whether the bridge can pass the reply on.
func (r *reply) isUsable() bool {
	for _, a := range r.Actions {
		if _, ok := r.reference().numberOf(a.ID); !ok {
			return false
		}
	}
	return r.SessionID != "" && r.MessageID != uuid.Nil
}

// createdAt returns the time at which a message began, in seconds: a replay has the same.
func (r reference) createdAt() int64 {
	if r.message.Version() != 7 {
		return time.Now().Unix()
	}
	seconds, _ := r.message.Time().UnixTime()
	return seconds
}

// extension is the member of replies with what other APIs have no place for.
type extension struct {
	SessionID        string         `json:"session_id"`
	MessageID        uuid.UUID      `json:"message_id"`
	Model            string         `json:"model"`
	AgentVersion     int64          `json:"agent_version"`
	Credits          int64          `json:"credits"`
	CreditsRemaining int64          `json:"credits_remaining"`
	Output           jsontext.Value `json:"output,omitzero"`
	Sources          jsontext.Value `json:"sources,omitzero"`
}

func (r *reply) extension() *extension {
	return &extension{
		SessionID:        r.SessionID,
		MessageID:        r.MessageID,
		Model:            r.Model,
		AgentVersion:     r.AgentVersion,
		Credits:          r.Usage.Credits,
		CreditsRemaining: r.Usage.CreditsRemaining,
		Output:           r.Output,
		Sources:          r.Sources,
	}
}

// readReply reads a whole reply.
func readReply(response *http.Response) (*reply, error) {
	if mediaType(response) != mediaTypeJSON {
		return nil, badGateway("the answer is not JSON")
	}
	text, err := io.ReadAll(response.Body)
	switch {
	case errors.Is(err, errTooLong):
		return nil, badGateway(err.Error())
	case err != nil:
		return nil, &lost{lostConnection, err}
	}
	return parseReply(text)
}

func parseReply(text []byte) (*reply, error) {
	out := new(reply)
	if err := json.Unmarshal(text, out); err != nil || !out.isUsable() {
		return nil, badGateway("the answer is no reply of the chat API")
	}
	return out, nil
}
