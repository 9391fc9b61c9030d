package bridge

import (
	"crypto/rand"
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
)

// The prefixes of ids in responses.
const (
	responsePrefix   = "resp_"
	messagePrefix    = "msg_"
	completionPrefix = "chatcmpl-"
	itemPrefix       = "fc_"
	callPrefix       = "call_"
)

// newSessionPrefix begins the sessions that the bridge opens.
const newSessionPrefix = "br_"

// encoding accepts one spelling of each value, apart from line breaks.
var encoding = base64.RawURLEncoding.Strict()

// reference names a message of a session.
type reference struct {
	session string
	message uuid.UUID
}

// id returns the reference as an id.
func (r reference) id(prefix string) string {
	return prefix + encoding.EncodeToString([]byte(r.session)) + "." +
		encoding.EncodeToString(r.message[:])
}

// callID returns the id of the message's n-th action.
func (r reference) callID(prefix string, n int) string {
	return r.id(prefix) + "." + strconv.Itoa(n)
}

// action returns the chat API's id of the message's n-th action.
func (r reference) action(n int) string {
	return "act_" + r.message.String() + "_" + strconv.Itoa(n)
}

// numberOf returns the number of an action of the message from its id in the chat API.
func (r reference) numberOf(action string) (n int, ok bool) {
	n, err := strconv.Atoi(action[strings.LastIndexByte(action, '_')+1:])
	return n, err == nil && r.action(n) == action
}

// parseID parses an id with one of the prefixes. ok is false if the bridge did not make it.
func parseID(text string, prefixes ...string) (r reference, ok bool) {
	for _, prefix := range prefixes {
		rest, found := strings.CutPrefix(text, prefix)
		session, message, two := strings.Cut(rest, ".")
		name, err := encoding.DecodeString(session)
		id, idErr := encoding.DecodeString(message)
		if found && two && !strings.ContainsAny(rest, "\r\n") && err == nil && idErr == nil && len(name) > 0 && utf8.Valid(name) &&
			len(id) == len(r.message) {
			return reference{string(name), uuid.UUID(id)}, true
		}
	}
	return reference{}, false
}

// parseCallID parses the id of an action.
func parseCallID(text string, prefixes ...string) (r reference, n int, ok bool) {
	dot := max(0, strings.LastIndexByte(text, '.'))
	n, err := strconv.Atoi(strings.TrimPrefix(text[dot:], "."))
	r, ok = parseID(text[:dot], prefixes...)
	ok = ok && err == nil && n > 0 && text[dot+1:] == strconv.Itoa(n)
	return r, n, ok
}

// newSession returns a new session with 128 random bits.
func newSession() string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails (Go 1.24)
	return sessionOf(random)
}

func sessionOf(bits [16]byte) string { return newSessionPrefix + encoding.EncodeToString(bits[:]) }
