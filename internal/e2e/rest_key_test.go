package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestRESTPanelToken: case 22. The panel's tokens do not work for the API, and API keys do not work for the panel.
func TestRESTPanelToken(t *testing.T) {
	testlong.Only(t)
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
	const who = `{ me { email } }`
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
