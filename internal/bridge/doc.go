// Package bridge lets software that speaks OpenAI's Responses or Chat Completions API, or MCP, talk
// to an agent. It is a client of the chat API: each request becomes one message on
// POST /v1/agent/chat, and the reply goes back in the other API's form.
//
// It keeps nothing. The ids in its responses hold the session and the message, so the next request
// names its conversation by echoing one. See session.go for the order of the sources of a session,
// and idempotency.go for the keys that make retries free.
//
//	request -> fields (decode.go) -> input (responses_input.go, chat_input.go) -> message (message.go)
//	        -> client (sender.go, relay.go) -> output (responses_output.go, chat_output.go) -> response
package bridge
