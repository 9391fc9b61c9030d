package httpapi

import (
	"errors"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

var requestIDPattern = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// requestID returns the caller's X-Request-Id if there is exactly one and it is well-formed, else a
// new UUIDv7. Callers must not be able to write anything else into the logs.
func requestID(h http.Header) string {
	if values := h[headerRequestID]; len(values) == 1 && requestIDPattern.MatchString(values[0]) {
		return values[0]
	}
	return uuid.Must(uuid.NewV7()).String() // cannot fail, because crypto/rand never fails
}

// BearerToken returns the token in the one Authorization header (RFC 6750, 2.1), "" for any other
// form.
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

// charsets holds the accepted charset parameters, in lower case: UTF-8 and its subset US-ASCII.
var charsets = []string{"utf-8", "utf8", "us-ascii", "ascii"}

// CheckJSON accepts an uncompressed application/json body. Parameters are allowed; a charset must
// be one of charsets. Fault: UnsupportedMediaType.
func CheckJSON(h http.Header) error {
	if len(h["Content-Type"]) > 1 {
		return fault.New(UnsupportedMediaType,
			"The Content-Type header is sent more than once. Send it once.")
	}
	mediaType, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || mediaType != "application/json" {
		return fault.New(UnsupportedMediaType,
			"The body is not declared as JSON. Send Content-Type: application/json.")
	}
	if charset, given := params["charset"]; given &&
		!slices.Contains(charsets, strings.ToLower(charset)) {
		return fault.New(UnsupportedMediaType,
			"The body must be UTF-8. Send Content-Type: application/json; charset=utf-8.")
	}
	return checkEncoding(h, "JSON")
}

// CheckMultipart accepts an uncompressed multipart/form-data body and returns its boundary; "" for
// any other media type. Fault: UnsupportedMediaType.
func CheckMultipart(h http.Header) (boundary string, err error) {
	types := h["Content-Type"]
	if len(types) != 1 {
		return "", nil
	}
	mediaType, params, err := mime.ParseMediaType(types[0])
	switch {
	case err != nil || mediaType != "multipart/form-data":
		return "", nil // another media type
	case params["boundary"] == "":
		return "", fault.New(UnsupportedMediaType,
			"The Content-Type multipart/form-data has no boundary. Let the HTTP library set it.")
	}
	return params["boundary"], checkEncoding(h, "file")
}

func checkEncoding(h http.Header, content string) error {
	for coding := range strings.SplitSeq(strings.Join(h["Content-Encoding"], ","), ",") {
		if coding = strings.TrimSpace(coding); coding != "" && !strings.EqualFold(coding, "identity") {
			return fault.New(UnsupportedMediaType,
				"Compressed bodies are not accepted. Send the "+content+" without a Content-Encoding.")
		}
	}
	return nil
}

// MaxIdempotencyKey is the most characters of an idempotency key.
const MaxIdempotencyKey = 255

var idempotencyKeyPattern = regexp.MustCompile(`^[!-~]{1,255}$`)

// IsIdempotencyKey reports whether text is an idempotency key: 1 to 255 visible ASCII characters.
func IsIdempotencyKey(text string) bool { return idempotencyKeyPattern.MatchString(text) }

// IdempotencyKey returns the Idempotency-Key header, "" if it is absent. Fault:
// InvalidIdempotencyKey.
func IdempotencyKey(h http.Header) (string, error) {
	values := h["Idempotency-Key"]
	switch {
	case len(values) == 0:
		return "", nil
	case len(values) > 1:
		return "", fault.New(InvalidIdempotencyKey,
			"The Idempotency-Key header is sent more than once. Send it once.")
	case values[0] == "":
		return "", fault.New(InvalidIdempotencyKey,
			"The Idempotency-Key is empty. Leave the header out, or send 1 to 255 characters.")
	case len(values[0]) > MaxIdempotencyKey:
		return "", &fault.Error{
			Kind:    InvalidIdempotencyKey,
			Message: "The Idempotency-Key is too long. Send at most 255 characters.",
			Details: map[string]any{"limit": MaxIdempotencyKey},
		}
	case !IsIdempotencyKey(values[0]):
		return "", fault.New(InvalidIdempotencyKey,
			"The Idempotency-Key has a character that is not visible ASCII. Leave spaces and accents out.")
	}
	return values[0], nil
}

const mediaTypeEvents = "text/event-stream"

// AcceptsEvents reports whether a client accepts a stream of events, for responses that have no
// other form.
func AcceptsEvents(h http.Header) bool { return Weight(h["Accept"], mediaTypeEvents) > 0 }

// PrefersEvents reports whether a client asks for a stream of events: it names no other type with
// the same or a higher weight.
func PrefersEvents(h http.Header) bool {
	own, others := weights(h["Accept"], mediaTypeEvents)
	return own > others
}

// Weight returns the weight of a name in Accept or Accept-Encoding headers, from 0 to 1 (RFC 9110,
// 12.5); 0 if they do not name it. Wildcards do not count. An invalid weight counts as 1, like a
// missing one.
func Weight(values []string, name string) float64 {
	own, _ := weights(values, name)
	return own
}

// listElement matches an element of a list (RFC 9110, 5.6.1). A comma in quotes does not end it.
var listElement = regexp.MustCompile(`(?:[^,"]|"(?:[^"\\]|\\.)*")+`)

// weights returns the greatest weight of a name, and the greatest of all others.
func weights(values []string, name string) (own, others float64) {
	for _, value := range values {
		for _, element := range listElement.FindAllString(value, -1) {
			named, params, err := mime.ParseMediaType(element)
			if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) || strings.Contains(named, "*") {
				continue
			}
			weight, err := strconv.ParseFloat(params["q"], 64)
			if err != nil || !(weight >= 0 && weight <= 1) {
				weight = 1
			}
			if named == name {
				own = max(own, weight)
			} else {
				others = max(others, weight)
			}
		}
	}
	return own, others
}
