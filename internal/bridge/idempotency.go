package bridge

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"

	"agentchat/internal/httpapi"
)

// setKey sets the idempotency key. SDKs send none, so the key is derived from what makes two
// requests the same:
//
//	the client has one                    that one
//	the request continues a message       the session and that message: one reply continues it, and
//	                                      another one shows as a branch
//	a session and earlier messages        the session, all messages, the user and the variables
//	otherwise                             random: two users may begin with the same words
func (out *outgoing) setKey(key string, in *input, where place) {
	switch {
	case key != "":
		out.key = key
	case where.after != nil:
		out.key, out.derived = hashOf(where.session.text, where.after.message.String()), true
	case where.session.path != "" && in.earlier() != nil:
		out.key = hashOf(where.session.text, string(in.raw), out.UserID, out.Variables)
	default:
		out.key, out.random = rand.Text(), true
	}
}

// hashOf returns the SHA-256 of values, as text.
func hashOf(values ...any) string {
	sum := sha256.Sum256(httpapi.Encode(values))
	return hex.EncodeToString(sum[:])
}
