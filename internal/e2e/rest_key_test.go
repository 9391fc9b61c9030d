package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/apikey"
	"agentchat/internal/faults"
	"agentchat/internal/store/storetest"
)

// TestRESTKey: cases 16 to 20, the key and where it is sent, one request each.
func TestRESTKey(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, 1)
	defer d.finish(t)
	refused := scenario{status: http.StatusUnauthorized, code: "unauthorized"}
	header := func(s *scenario, line string) { s.raw = post(hello, line, asJSON) }
	d.run(t, variants(named("row 16: no key", "", refused), []string{
		"X-Nothing: here", "Authorization:", "Authorization: Bearer", "Authorization: Bearer ", "Authorization: Bearer{key}",
		"Authorization: {key}", "Authorization: Bearer {key} extra", "Authorization: Bearer {key},{key}", "Authorization: Bearer {key}, Basic x",
		"Authorization: Bearer,{key}", "Authorization: Bearer: {key}", "Authorization: Bearer=\"{key}\"", "Authorization: Bearer \"{key}\"",
		"Authorization: Bearer\t{key}", "Authorization: Bearer \t{key}", "Authorization: Basic {basic}", "Authorization: Token {key}",
		"Authorization: ApiKey {key}", "Authorization: Bearer token={key}", "Authorization: Bearer Bearer {key}", "X-API-Key: {key}",
		"Api-Key: {key}", "X-Goog-Api-Key: {key}", "Proxy-Authorization: Bearer {key}", "X-Authorization: Bearer {key}",
		"Authentication: Bearer {key}", "Cookie: api_key={key}; Authorization=Bearer {key}", "Authorization: Bearer\xc2\xa0{key}",
	}, header))
	d.run(t, variants(scenario{name: "row 17: case and spaces of the scheme", status: http.StatusOK}, []string{
		"Authorization: bearer {key}", "Authorization: BEARER {key}", "Authorization: Bearer   {key}", "authorization: bEaReR {key}   ",
		"AUTHORIZATION:Bearer {key}\t",
	}, header))
	d.run(t, variants(scenario{name: "row 18: two headers", status: http.StatusBadRequest, code: "invalid_authorization"}, []string{
		"Authorization: Bearer {key}\r\nAuthorization: Bearer {key}", "Authorization: Bearer {key}\r\nauthorization: Bearer {unknown}",
		"Authorization: Bearer {unknown}\r\nAUTHORIZATION: Bearer {key}", "Authorization:\r\nAuthorization: Bearer {key}",
		"Authorization: Bearer {key}\r\nAuthorization:", "Authorization: Basic {basic}\r\nX-Between: x\r\nAuthorization: Bearer {key}",
	}, header))
	d.run(t, inTheURL(refused))
	d.run(t, variants(named("row 20: malformed", "", refused), malformedKeys(), func(s *scenario, key string) {
		s.raw = post(hello, "Authorization: Bearer "+key, asJSON)
	}))
	d.run(t, variants(named("the key is checked first", "", refused), []string{
		post("", "Authorization: Bearer {unknown}"), post("{", "Authorization: Bearer {unknown}", asJSON),
		post("\xff", "Authorization: Bearer {changed}", asJSON), post(`{"message":1}`, "Authorization: Bearer {unknown}", asJSON),
		post(hello, "Authorization: Bearer {unknown}", "Content-Type: text/plain", "Idempotency-Key:"),
		post(`{"message":"{text}","api_key":"{key}"}`, asJSON), post(hello, asJSON, "Idempotency-Key: a b", "Expect: 100-continue"),
	}, func(s *scenario, text string) { s.raw = text }))
}

func malformedKeys() []string {
	return []string{"{otherPrefix}", "{changed}", "{cut}", "{lower}", "{key}x", "x{key}", "{tail}", "agc_", "agc_" + strings.Repeat("0", 38),
		"AGC_" + strings.Repeat("0", 38), strings.Repeat("k", 10<<10), "{key}{key}", "' or 1=1--", "';DROP TABLE api_keys;--", "\xe9\xff", "\x80",
		"agc_\xe9\xff" + strings.Repeat("0", 36), "null", "undefined", "${API_KEY}", "<API_KEY>", "agc_…", "agc_[redacted]", "%61gc_", "{key}%00", "{key}="}
}

func inTheURL(refused scenario) []scenario {
	queries := []string{"api_key={key}", "key={key}", "access_token={key}", "x=1&token={key}&y=2", "Authorization=Bearer%20{key}", "a=%61{tail}",
		"%61pi_key={key}", "api_key=%22{key}%22", "a;api_key={key}", "api_key={key}&api_key={key}", "q=%zz&k={key}"}
	refused.name = "row 19: a key only in the URL"
	out := variants(refused, queries, func(s *scenario, query string) {
		s.raw = raw("POST /v1/agent/chat?"+query+" HTTP/1.1", hello, "Host: h", asJSON)
	})
	both := scenario{name: "row 19: a key in the URL and in the header", status: http.StatusBadRequest, code: "invalid_authorization"}
	out = append(out, variants(both, append(queries, "api_key={unknown}", "api_key={changed}"), func(s *scenario, query string) {
		s.raw = raw("POST /v1/agent/chat?"+query+" HTTP/1.1", hello, "Host: h", authorized, asJSON)
	})...)
	harmless := scenario{name: "row 19: another query", status: http.StatusOK}
	return append(out, variants(harmless, []string{"api_key=", "x=agc_", "utm_source=panel&x=%zz", "stream=true", "message=other&session_id=s"},
		func(s *scenario, query string) { s.target = "?" + query; s.body = hello })...)
}

// stoppedKeys creates callers whose keys do not work, or no longer work, for different reasons.
func (d *deployment) stoppedKeys(t *testing.T) (keys []*apiCaller) {
	t.Helper()
	stop := func(how func(caller *apiCaller) error) {
		caller := d.newCaller(t, storetest.Options{})
		d.post(t, d.chat(), caller, caller.expand.Replace(hello)) // it works first
		if err := how(caller); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, caller)
	}
	stop(func(caller *apiCaller) error { caller.Key = apikey.Mint(); return nil }) // well-formed, never stored
	stop(func(caller *apiCaller) error {
		_, err := d.store.RemoveExport(t.Context(), caller.Account.ID, caller.Export.ID)
		return err
	})
	stop(func(caller *apiCaller) error {
		return d.store.DeleteAgent(t.Context(), caller.Account.ID, caller.Agent.ID)
	})
	stop(func(caller *apiCaller) error {
		_, err := d.store.DB().ExecContext(t.Context(), `UPDATE api_keys SET expires_at = now() WHERE id = $1`, caller.KeyID)
		return err
	})
	stop(func(caller *apiCaller) error {
		storetest.SetAccountState(t, d.store, caller.Account.ID, account.Suspended)
		return nil
	})
	return keys
}

// TestRESTStoppedKeys: case 21. All keys that do not work get the same response.
func TestRESTStoppedKeys(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, 1)
	defer d.finish(t)
	keys := d.stoppedKeys(t)
	for range 3 {
		for i, caller := range keys {
			before := d.figures(t, caller)
			s := scenario{status: http.StatusUnauthorized, code: "unauthorized"}
			got := d.post(t, d.chat(), caller, caller.expand.Replace(hello), "X-Request-Id", "same")
			d.checkAnswer(t, caller, s, got)
			d.checkFigures(t, caller, s, before, got)
			if first := d.post(t, d.chat(), keys[0], hello, "X-Request-Id", "same"); !bytes.Equal(got.Body, first.Body) ||
				len(got.Header) != len(first.Header) {
				t.Errorf("key %d differs from the first: %s %v", i, got.Body, got.Header)
			}
		}
	}
}

// TestRESTStoppedKeysTime: case 21. All keys that do not work are rejected in about the same time.
func TestRESTStoppedKeysTime(t *testing.T) {
	faults.Heavy(t) // it compares times, which needs a quiet machine
	d := newDeployment(t, 1)
	defer d.finish(t)
	keys := d.stoppedKeys(t)
	const rounds = 41
	times := make([][]time.Duration, len(keys))
	for range rounds {
		for i, caller := range keys {
			began := time.Now()
			got := d.post(t, d.chat(), caller, caller.expand.Replace(hello))
			times[i] = append(times[i], time.Since(began))
			d.checkAnswer(t, caller, scenario{status: http.StatusUnauthorized, code: "unauthorized"}, got)
		}
	}
	medians := make([]time.Duration, len(keys))
	for i := range times {
		slices.Sort(times[i])
		medians[i] = times[i][rounds/2]
	}
	t.Logf("medians: %v", medians)
	if least, most := slices.Min(medians), slices.Max(medians); most > 3*least {
		t.Errorf("rejections take %v: callers can distinguish the keys", medians)
	}
}

// TestRESTPanelToken: case 22. The panel's tokens do not work for the API, and API keys do not work for the panel.
func TestRESTPanelToken(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, 1)
	defer d.finish(t)
	caller := d.newCaller(t, storetest.Options{})
	graphQL := strings.TrimSuffix(d.chat(), "/v1/agent/chat") + "/graphql"
	email, password := uuid.NewString()+"@example.com", uuid.NewString()
	d.keepPrivate(email, password)
	var opened struct {
		Data struct {
			SignUp struct{ AccessToken string }
		}
	}
	status, body := d.query(t, graphQL, "", `mutation($in: SignUpInput!) { signUp(input: $in) { accessToken } }`,
		map[string]any{"in": map[string]string{"email": email, "password": password, "name": "Ada"}})
	if err := json.Unmarshal(body, &opened); err != nil || status != http.StatusOK || opened.Data.SignUp.AccessToken == "" {
		t.Fatalf("sign-up: %d %v %s", status, err, excerpt(body))
	}
	token := opened.Data.SignUp.AccessToken
	d.keepPrivate(token)
	const who = `{ viewer { email } }`
	if status, body := d.query(t, graphQL, token, who, nil); status != http.StatusOK || !strings.Contains(string(body), email) {
		t.Fatalf("the token does not work in the panel: %d %s", status, excerpt(body))
	}
	before := d.figures(t, caller)
	got := d.post(t, d.chat(), caller, caller.expand.Replace(hello), "Authorization", "Bearer "+token)
	s := scenario{status: http.StatusUnauthorized, code: "unauthorized"}
	d.checkAnswer(t, caller, s, got)
	d.checkFigures(t, caller, s, before, got)
	if status, body := d.query(t, graphQL, caller.Key.Reveal(), who, nil); status != http.StatusUnauthorized ||
		strings.Contains(string(body), caller.Account.Email) || apikey.HasShape(string(body)) {
		t.Errorf("a key at /graphql: %d %s", status, excerpt(body))
	}
}

func (d *deployment) query(t *testing.T, graphQL, token, query string, variables map[string]any) (status int, body []byte) {
	t.Helper()
	data, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, graphQL, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", fmt.Sprint("Bearer ", token))
	}
	resp, err := d.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if body, err = io.ReadAll(resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, body
}
