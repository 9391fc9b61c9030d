package httpapi

import (
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

var requestIDPattern = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// requestID returns the caller's X-Request-Id when there is exactly one and it is well-formed, else a new UUIDv7. Callers must
// not be able to write anything else into the logs.
func requestID(h http.Header) string {
	if values := h[headerRequestID]; len(values) == 1 && requestIDPattern.MatchString(values[0]) {
		return values[0]
	}
	return uuid.Must(uuid.NewV7()).String() // its only error is crypto/rand's, which never fails
}

// BearerToken returns the token in the one Authorization header (RFC 6750, 2.1), "" for any other form.
func BearerToken(h http.Header) string {
	headers := h["Authorization"]
	if len(headers) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimLeft(token, " ")
}

// CheckJSON accepts an uncompressed application/json body. Parameters are allowed; a charset must be utf-8. Fault:
// UnsupportedMediaType.
func CheckJSON(h http.Header) error {
	types := h["Content-Type"]
	if len(types) != 1 {
		return fault.New(UnsupportedMediaType, "Send exactly one Content-Type header: application/json.")
	}
	mediaType, params, err := mime.ParseMediaType(types[0])
	if err != nil || mediaType != "application/json" {
		return fault.New(UnsupportedMediaType, "The body must be JSON. Send Content-Type: application/json.")
	}
	if charset, given := params["charset"]; given && !strings.EqualFold(charset, "utf-8") {
		return fault.New(UnsupportedMediaType, "The body must be UTF-8. Send Content-Type: application/json; charset=utf-8.")
	}
	for coding := range strings.SplitSeq(strings.Join(h["Content-Encoding"], ","), ",") {
		if coding = strings.TrimSpace(coding); coding != "" && !strings.EqualFold(coding, "identity") {
			return fault.New(UnsupportedMediaType, "Compressed bodies are not accepted. Send the JSON without a Content-Encoding.")
		}
	}
	return nil
}

// MaxIdempotencyKey is how many characters an idempotency key may have.
const MaxIdempotencyKey = 255

var idempotencyKeyPattern = regexp.MustCompile(`^[!-~]{1,255}$`)

// IsIdempotencyKey reports whether text is an idempotency key: 1 to 255 visible ASCII characters.
func IsIdempotencyKey(text string) bool { return idempotencyKeyPattern.MatchString(text) }

// IdempotencyKey returns the Idempotency-Key header, "" when there is none. Fault: InvalidIdempotencyKey.
func IdempotencyKey(h http.Header) (string, error) {
	values := h["Idempotency-Key"]
	switch {
	case len(values) == 0:
		return "", nil
	case len(values) > 1:
		return "", fault.New(InvalidIdempotencyKey, "Send at most one Idempotency-Key header.")
	case values[0] == "":
		return "", fault.New(InvalidIdempotencyKey, "The Idempotency-Key is empty. Leave the header out, or send 1 to 255 characters.")
	case len(values[0]) > MaxIdempotencyKey:
		return "", &fault.Error{
			Kind:    InvalidIdempotencyKey,
			Message: "The Idempotency-Key is too long. Send at most 255 characters.",
			Details: map[string]any{"limit": MaxIdempotencyKey},
		}
	case !IsIdempotencyKey(values[0]):
		return "", fault.New(InvalidIdempotencyKey,
			"The Idempotency-Key may contain only visible ASCII characters: no spaces, no accents.")
	}
	return values[0], nil
}

const mediaTypeEvents = "text/event-stream"

// AcceptsEvents reports whether an Accept header names text/event-stream.
func AcceptsEvents(h http.Header) bool { return Accepts(h, mediaTypeEvents) }

// Accepts reports whether an Accept header names a media type. Wildcards don't count, and a weight of zero removes the name (RFC 9110,
// 12.4.2); other weights don't matter.
func Accepts(h http.Header, mediaType string) bool {
	for item := range strings.SplitSeq(strings.Join(h["Accept"], ","), ",") {
		name, params, err := mime.ParseMediaType(item)
		if err != nil || name != mediaType {
			continue
		}
		if weight, err := strconv.ParseFloat(params["q"], 64); err != nil || weight != 0 {
			return true
		}
	}
	return false
}
