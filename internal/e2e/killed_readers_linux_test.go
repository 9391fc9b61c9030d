package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"agentchat/internal/knowledge/filetext/filetest"
	"agentchat/internal/knowledge/reading"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// upload adds a file to an agent.
func (b *browser) upload(r *replica, agent, name string, content []byte) {
	b.t.Helper()
	got, err := b.sendFile(r, mutation("addKnowledgeFile", "source { id }"),
		map[string]any{"agentId": agent, "name": name}, content)
	if err != nil || got.code() != "ok" {
		b.t.Fatalf("upload %s: %v %d %s", name, err, got.Status, got.Raw)
	}
}

// readers returns the directories in /proc of the processes that read files for a data directory.
func readers(dataDir string) (out []string) {
	found, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range found {
		line, err := os.ReadFile(path)
		if err == nil && bytes.Contains(line, []byte(reading.Command)) &&
			bytes.Contains(line, []byte(dataDir)) {
			out = append(out, filepath.Dir(path))
		}
	}
	return out
}

// TestKilledReaders: a replica is killed while a process of its own reads a file. Its process ends
// with it, and another replica completes the file. TestReadersAreLost tests the claims of readers.
func TestKilledReaders(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	url, dir := storetest.URL(t), t.TempDir()
	s := storetest.Open(t, url)
	filetest.Link(filepath.Join(dir, "reading"))
	victim := start(t, url, "AGENTCHAT_DATA_DIR="+dir)
	owner := newBrowser(t)
	owner.signedUp(victim, "files@example.com", ownersPassword)
	agent := owner.makeExport(victim).agent
	pages := make([]string, 500)
	for i := range pages {
		pages[i] = fmt.Sprint("page ", i)
	}
	is := func(want string) bool {
		var state string
		readRow(t, s, `SELECT state FROM knowledge_sources`, nil, &state)
		return state == want
	}
	owner.upload(victim, agent, "manual.pdf", filetest.PDF(true, pages...))
	eventually(t, "a process reads", func() bool { return len(readers(dir)) == 1 && is("READING") })
	victim.kill()
	eventually(t, "no process reads", func() bool { return len(readers(dir)) == 0 })
	if !is("READING") {
		t.Error("the file was read before the replica was killed")
	}
	execute(t, url, `UPDATE knowledge_files SET due_at = clock_timestamp()`) // the lease ends
	start(t, url)
	eventually(t, "another replica has read the file", func() bool { return is("READY") })
	storetest.Audit(t, s)
}
