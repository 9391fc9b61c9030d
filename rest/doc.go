// Package rest is the public chat API: POST /v1/agent/chat and nothing else.
//
// The edge turns one HTTP request into one chat.Request and the outcome back into HTTP. It holds no rules of the turn
// itself. The checks run in the order of the contract:
//
//	request id -> path, method -> Authorization header -> media type -> size -> JSON -> fields -> Idempotency-Key -> Send
//	                              \______ form only ___/ \________________ a refusal here asks Admit first _____/
//
// Send checks the key and spends the rate itself, so a chat that is in order costs no further query. A request whose body
// or headers are at fault asks Admit before it is refused: a refusal for the key (401) or the rate (429) wins over one for
// the body, and the refusal carries the RateLimit headers. Two requests ask Admit before their body is read, so that a
// wrong key is refused without it: one that declares too long a body, and one that waits for 100 Continue.
//
// Every answer has a request id, in the X-Request-Id header and in error bodies, and every error has one JSON shape. The
// status of each kind of fault stands in one table, in errors.go. Causes go to the log, never to the client.
package rest
