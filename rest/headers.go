package rest

import (
	"mime"
	"net/http"
	"strings"

	"agentchat/internal/fault"
)

// checkMediaType accepts an application/json body that is not compressed. Parameters are allowed; a charset must be utf-8.
// Fault: unsupported_media_type.
func checkMediaType(h http.Header) error {
	values := h["Content-Type"]
	if len(values) != 1 {
		return fault.New(unsupportedMediaType, "Send exactly one Content-Type header: application/json.")
	}
	mediaType, params, err := mime.ParseMediaType(values[0])
	if err != nil || mediaType != "application/json" {
		return fault.New(unsupportedMediaType, "The body must be JSON. Send Content-Type: application/json.")
	}
	if charset, given := params["charset"]; given && !strings.EqualFold(charset, "utf-8") {
		return fault.New(unsupportedMediaType, "The body must be UTF-8. Send Content-Type: application/json; charset=utf-8.")
	}
	for _, value := range h["Content-Encoding"] {
		for coding := range strings.SplitSeq(value, ",") {
			if coding = strings.TrimSpace(coding); coding != "" && !strings.EqualFold(coding, "identity") {
				return fault.New(unsupportedMediaType, "Compressed bodies are not accepted. Send the JSON without a Content-Encoding.")
			}
		}
	}
	return nil
}

const maxIdempotencyKeyLength = 255

// idempotencyKey returns the caller's Idempotency-Key, or "" when there is no such header. Fault: invalid_idempotency_key.
func idempotencyKey(h http.Header) (string, error) {
	values := h["Idempotency-Key"]
	switch {
	case len(values) == 0:
		return "", nil
	case len(values) > 1:
		return "", fault.New(invalidIdempotencyKey, "Send at most one Idempotency-Key header.")
	case values[0] == "":
		return "", fault.New(invalidIdempotencyKey, "The Idempotency-Key is empty. Leave the header out, or send 1 to 255 characters.")
	case len(values[0]) > maxIdempotencyKeyLength:
		return "", &fault.Error{
			Kind:    invalidIdempotencyKey,
			Message: "The Idempotency-Key is too long. Send at most 255 characters.",
			Details: map[string]any{"limit": maxIdempotencyKeyLength},
		}
	}
	for i := range len(values[0]) {
		if c := values[0][i]; c < 0x21 || c > 0x7E {
			return "", fault.New(invalidIdempotencyKey,
				"The Idempotency-Key may hold visible ASCII characters only: no spaces, no accents.")
		}
	}
	return values[0], nil
}
