// Package eventstream is what both edges agree on about streams of server-sent events (text/event-stream; HTML Standard, 9.2): who
// asks for one, and how its answer begins. What the events say is each edge's own.
package eventstream

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

const mediaType = "text/event-stream"

// Accepted reports whether an Accept header lists text/event-stream by its name: a client that takes anything, or any text, asks
// for no stream. A weight of zero takes the name off the list (RFC 9110, 12.4.2); other weights don't matter.
func Accepted(h http.Header) bool {
	for _, value := range h["Accept"] {
		for item := range strings.SplitSeq(value, ",") {
			name, params, err := mime.ParseMediaType(item)
			if err != nil || name != mediaType {
				continue
			}
			if weight, err := strconv.ParseFloat(params["q"], 64); err == nil && weight == 0 {
				continue
			}
			return true
		}
	}
	return false
}

// Announce sets the headers of an answer that is a stream: no cache keeps or changes it, and no proxy holds its events back.
func Announce(h http.Header) {
	h.Set("Content-Type", mediaType)
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no")
}
