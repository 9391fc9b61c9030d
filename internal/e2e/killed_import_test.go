package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestKilledImport: a replica is killed while it adds 5,000 answers. After a restart, the same
// import completes, and each answer is there once. TestImportAgain tests imports that end with an
// error.
func TestKilledImport(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	const rows, perCommit = 5_000, 100
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	victim := start(t, url)
	owner := newBrowser(t)
	owner.signedUp(victim, "import@example.com", ownersPassword)
	agent := owner.makeExport(victim).agent
	var file strings.Builder
	for i := range rows {
		fmt.Fprintf(&file, "What is number %d?,It is %d.\n", i, i)
	}
	send := func(r *replica) (panelAnswer, error) {
		return owner.sendFile(r, mutation("importKnowledgeAnswers", "added"),
			map[string]any{"agentId": agent, "add": true}, []byte(file.String()))
	}
	count := func(what string) (n int) {
		readRow(t, s, `SELECT count(`+what+`) FROM knowledge_sources`, nil, &n)
		return n
	}
	ended := make(chan error, 1)
	go func() { _, err := send(victim); ended <- err }()
	eventually(t, "the first answers are added", func() bool { return count("*") > 0 })
	victim.kill()
	if err := <-ended; err == nil {
		t.Error("the import ended before the replica was killed")
	}
	got, err := send(start(t, url))
	if err != nil || got.code() != "ok" {
		t.Fatalf("repeated: %v %d %s", err, got.Status, got.Raw)
	}
	var added struct{ Added int }
	got.into(t, "importKnowledgeAnswers", &added)
	if n := added.Added; n == 0 || n == rows || n%perCommit != 0 {
		t.Errorf("the repeated import added %d answers", n)
	}
	if count("*") != rows || count("DISTINCT name") != rows || count("DISTINCT text_hash") != rows {
		t.Errorf("%d answers with %d names, want %d", count("*"), count("DISTINCT name"), rows)
	}
	storetest.Audit(t, s)
}
