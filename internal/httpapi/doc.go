// Package httpapi is what the HTTP APIs share: the exchange of one request and its answer with its request id, access line and
// panic recovery, the checks of a request's form, the time and memory of bodies, and the writing of server-sent events. Each API
// keeps its own table of errors, its own handlers, and the shape of its answers.
package httpapi
