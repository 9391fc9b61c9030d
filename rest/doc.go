// Package rest is the public chat API: POST /v1/agent/chat and nothing else.
//
// It turns one HTTP request into one chat.Message and the result back into HTTP, and holds no rules
// of the turn itself. The checks run in the order of the contract:
//
//	request id -> path, method -> Authorization header -> media type -> size -> JSON -> fields -> Idempotency-Key -> Send
//	                              \______ form only ___/ \______________ a refusal here calls CheckKey first ____/
//
// Send checks the key and spends the rate itself, so a valid request costs no extra statement. A
// request whose body or headers are invalid goes through CheckKey before it is refused: a refusal
// for the key (401) or the rate (429) wins over one for the body, and the refusal has the RateLimit
// headers. Some requests go through CheckKey before their body is read, so that a wrong key is
// refused without reading it: those that declare too long a body, wait for 100 Continue, or have a
// body over httpapi.LargeBody. The last ones cost one more statement.
//
// Every answer has a request id, in the X-Request-Id header and in error bodies, and every error
// has one JSON shape. The table in errors.go gives the status of each kind of fault. Causes go to
// the log, never to the client.
package rest
