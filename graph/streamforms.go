package graph

import (
	"net/http"
	"strings"
	"time"

	"agentchat/internal/httpapi"
)

// form is the wire format of a subscription: its start, each response, a keep-alive and its end.
type form struct {
	start              func(*httpapi.Exchange, time.Duration) *httpapi.Events
	first, quiet, last string
	next               func(response []byte) string
}

// eventsForm is the format of gqlgen's own transport: next with a response as data, then complete.
var eventsForm = form{
	start: (*httpapi.Exchange).StartEvents,
	first: httpapi.Comment, quiet: httpapi.Comment, last: "event: complete\ndata:\n\n",
	next: func(response []byte) string { return httpapi.Event("next", response) },
}

// multipartSpec is the parameter by which clients ask for multipartForm.
const multipartSpec = "subscriptionSpec=1.0"

const (
	partStart = "\r\nContent-Type: application/json\r\n\r\n"
	delimiter = "\r\n--graphql"
)

// multipartForm is Apollo's multipart protocol for subscriptions: each part is JSON with a response
// as payload. Clients read a part only once the following delimiter has arrived.
var multipartForm = form{
	start: func(req *httpapi.Exchange, timeout time.Duration) *httpapi.Events {
		req.W.Header().Set("Cache-Control", httpapi.StreamCaching)
		return req.StartStream(`multipart/mixed; boundary="graphql"; `+multipartSpec, timeout)
	},
	first: delimiter, quiet: partStart + "{}" + delimiter, last: "--\r\n",
	next: func(response []byte) string { return partStart + `{"payload":` + string(response) + "}" + delimiter },
}

// formOf returns the format that a client accepts, preferably events; nil if it accepts neither.
func formOf(h http.Header) *form {
	switch {
	case httpapi.AcceptsEvents(h):
		return &eventsForm
	case strings.Contains(strings.Join(h["Accept"], ","), multipartSpec):
		return &multipartForm
	}
	return nil
}
