// Package httpapi contains what the HTTP APIs share: the exchange of one request and its response
// with its request id, access line and panic recovery, the validation of headers, the time and
// memory of bodies, and the writing of server-sent events. Each API has its own error table,
// handlers and response format.
package httpapi
