package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
	"agentchat/rest"
)

// TestBackgroundIsRefused tests the requests in the background that are refused for their form, and
// that false is not in the background.
func TestBackgroundIsRefused(t *testing.T) {
	t.Parallel()
	on := newBench(t, storetest.Options{}, nil)
	off := serve(t, rest.New(rest.Config{Chat: scripted(nil), NoBackground: true}))
	const body, key = `{"message":"hi","background":true}`, "Idempotency-Key: k"
	for name, c := range map[string]struct {
		address, body, header string
		field, reason, says   string
	}{
		"without a key": {on.address, body, "Accept: */*", "Idempotency-Key", "missing",
			"A background message needs an Idempotency-Key: the same request asks for its reply."},
		"as a stream": {on.address, strings.Replace(body, `true`, `true,"stream":true`, 1), key, "stream", "invalid_value",
			"stream cannot be sent with background."},
		"switched off": {off, body, key, "background", "invalid_value", "Background messages are switched off."},
	} {
		p := sendRaw(t, c.address, request(on.fixture.Key.Reveal(), c.body, c.header))[0].
			refused(t, http.StatusBadRequest, "invalid_request")
		if p.Error.Details["field"] != c.field || p.Error.Details["reason"] != c.reason || p.Error.Message != c.says {
			t.Errorf("%s: %+v", name, p.Error)
		}
	}
	on.post(t, strings.Replace(body, "true", `false,"stream":false`, 1)).answer(t)
}
