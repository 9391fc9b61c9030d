package bridge

import (
	"crypto/sha256"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/httpapi"
)

// sessionHeader names the session in rule 3. chatIDHeader is Open WebUI's.
const (
	sessionHeader = "X-Session-Id"
	chatIDHeader  = "X-OpenWebUI-Chat-Id"
)

// temporaryChat is the prefix of the ids of Open WebUI's temporary chats. All temporary chats of a
// browser tab share one id, so it names no conversation.
const temporaryChat = "local:"

// readNamedSession reads rule 1: a response or a conversation by its id.
func (in *input) readNamedSession(f fields) error {
	previous, err := f.text("previous_response_id")
	if err != nil {
		return err
	}
	if previous != nil {
		r, ok := parseID(*previous, responsePrefix, completionPrefix)
		if !ok {
			return unknownID("previous_response_id")
		}
		in.previous, in.previousID = &r, previous
		in.sessions = append(in.sessions, named{r.session, "previous_response_id"})
	}
	value, path := f.take("conversation"), "conversation"
	if value.Kind() == jsontext.KindBeginObject {
		members, err := objectOf(value, path)
		if err != nil {
			return err
		}
		value, path = members.take("id"), "conversation.id"
	}
	if value == nil {
		return nil
	}
	text, err := textOf(value, path)
	in.sessions = append(in.sessions, named{text, path})
	return err
}

func unknownID(path string) error {
	return refuse(codePreviousResponse, path, "This id was not made by this service.")
}

// readSessions reads rule 3: headers and fields. With the model agent-history, headers are ignored,
// because programs send them with every request, and fields are refused.
func (in *input) readSessions(h http.Header, f fields) error {
	var found []named
	id, err := f.text("session_id")
	if err != nil {
		return err
	}
	if id != nil {
		found = append(found, named{*id, "session_id"})
	}
	if id, err = in.readMetadata(f); err != nil {
		return err
	}
	if id != nil {
		found = append(found, named{*id, "metadata.session_id"})
	}
	if in.model == modelHistory {
		if len(found) > 0 {
			return historySession(found[0].path)
		}
		return nil
	}
	for _, name := range []string{sessionHeader, chatIDHeader} {
		text, err := headerText(h, name)
		if err != nil {
			return err
		}
		if text == nil || name == chatIDHeader && strings.HasPrefix(text.text, temporaryChat) {
			continue
		}
		found = append(found, *text)
	}
	in.sessions = append(in.sessions, found...)
	return nil
}

// readMetadata keeps the metadata, and returns the session in it. The rest has no effect, so metadata
// with more is named as ignored.
func (in *input) readMetadata(f fields) (session *string, err error) {
	if in.metadata = f.take("metadata"); in.metadata == nil {
		return nil, nil //nolint:nilnil // absent
	}
	members, err := objectOf(in.metadata, "metadata")
	if err != nil {
		return nil, err
	}
	if session, err = members.text("session_id"); err != nil {
		return nil, invalid("metadata.session_id", "must be a string.")
	}
	if len(members) > 0 {
		f["metadata"] = in.metadata
	}
	return session, nil
}

func historySession(path string) error {
	return refuse(codeSessionConflict, path, `"`+modelHistory+`" takes no session_id. Leave it out.`)
}

// echoed returns the newest message whose id the entries echo, rule 2; nil without one. newest reports
// whether no text of the agent follows it: those of Chat Completions have no id. echoed ignores ids
// that the bridge did not make.
func (in *input) echoed() (r *reference, path string, newest bool) {
	for i, e := range slices.Backward(in.entries) {
		if r, ok := e.reference(); ok {
			return &r, e.idPath, !slices.ContainsFunc(in.entries[i+1:], entry.ofAgent)
		}
	}
	return nil, "", false
}

// reference returns the message whose id an entry echoes.
func (e entry) reference() (r reference, ok bool) {
	if r, _, ok = parseCallID(e.id, callPrefix, itemPrefix); !ok {
		r, ok = parseID(e.id, messagePrefix)
	}
	return r, ok
}

// place is the destination of a message.
type place struct {
	session named
	// after is the message that the request continues; nil if it names none.
	after *reference
}

// place finds the session of a request. Two different ones are refused. key is the client's
// idempotency key, "" for none.
func (in *input) place(key string) (place, error) {
	sessions, after := in.sessions, in.previous
	if in.model != modelHistory || len(in.newest(result)) > 0 {
		if echoed, path, newest := in.echoed(); echoed != nil {
			sessions = append(slices.Clip(sessions), named{echoed.session, path})
			if after == nil && newest {
				after = echoed
			}
		}
	}
	for _, s := range sessions {
		if s.text == "new" {
			return place{}, invalid(s.path, `is "new", which names no conversation. Send a real id.`)
		}
		if s.text != sessions[0].text {
			return place{}, refuse(codeSessionConflict, s.path, "The request names two sessions. Send one.")
		}
	}
	if len(sessions) > 0 {
		return place{session: sessions[0], after: after}, nil
	}
	if e := in.earlier(); e != nil && in.model != modelHistory {
		return place{}, refuse(codeSessionMissing, e.path, "Earlier messages came without a session. Send "+
			`X-Session-Id, one value per conversation, or use the model "agent-history".`)
	}
	return place{session: named{text: in.newSession(key)}}, nil
}

// newSession returns a session for a first message. Retries with the client's idempotency key must
// name the same one, so it is derived from the key and the request.
func (in *input) newSession(key string) string {
	if key == "" {
		return newSession()
	}
	user := ""
	if in.user != nil {
		user = in.user.text
	}
	sum := sha256.Sum256(httpapi.Encode([]any{key, string(in.raw), user, in.variables}))
	return sessionOf([16]byte(sum[:]))
}
