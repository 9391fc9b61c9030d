package admin_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store/webhooks"
)

// webhook creates a webhook of the fixture's account.
func (b *bench) webhook() uuid.UUID {
	b.Helper()
	made, err := webhooks.On(b.store).Create(b.Context(), b.fixture.Account.ID, webhooks.New{ID: uuid.Must(uuid.NewV7()),
		URL: "https://example.com/", Events: webhooks.Events[:2], Secret: []byte{1}})
	if err != nil {
		b.Fatal(err)
	}
	return made.ID
}

func TestWebhooks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first, second := b.webhook().String(), b.webhook().String()
	const path = "/admin/v1/webhooks"
	page := b.get(path + "?limit=1")
	if list := page["webhooks"].([]any); len(list) != 1 || list[0].(map[string]any)["id"] != first || page["next"] != first {
		t.Errorf("the first page: %v", page)
	}
	if list := b.list(path+"?limit=1", "webhooks"); len(list) != 2 || list[1]["id"] != second {
		t.Errorf("all pages: %v", list)
	}
	for _, query := range []string{"?limit=0", "?limit=101", "?limit=x", "?after=x"} {
		b.refuses(http.MethodGet, path+query, "", "invalid_request")
	}
	for change, want := range map[string]string{"/stop": "STOPPED", "/allow": "ON"} {
		if got := b.post(path+"/"+first+change, ""); got["state"] != want {
			t.Errorf("%s: %v", change, got)
		}
		for _, id := range []string{uuid.NewString(), "x"} {
			b.refuses(http.MethodPost, path+"/"+id+change, "", "not_found")
		}
	}
}
