package upstream

// RetryAfter reads a Retry-After header.
var RetryAfter = retryAfter

// Redact takes the key out of a text.
var Redact = redact
