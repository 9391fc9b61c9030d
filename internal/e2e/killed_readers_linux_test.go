package e2e_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"agentchat/internal/knowledge/filetext/filetest"
	"agentchat/internal/knowledge/reading"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// upload adds a file to an agent.
func (b *browser) upload(r *replica, agent, name string, content []byte) {
	b.t.Helper()
	operations := fmt.Sprintf(`{"query": %q, "variables": {
		"input": {"agentId": %q, "name": %q, "file": null}}}`,
		mutation("addKnowledgeFile", "source { id }"), agent, name)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("operations", operations) // a buffer takes everything
	_ = form.WriteField("map", `{"0": ["variables.input.file"]}`)
	file, _ := form.CreateFormFile("0", name)
	_, _ = file.Write(content)
	_ = form.Close()
	got, err := b.send(r, form.FormDataContentType(), &body)
	if err != nil || got.code() != "ok" {
		b.t.Fatalf("upload %s: %v %d %s", name, err, got.Status, got.Raw)
	}
}

// readersBench is a replica that is killed while it reads files, and one that takes them over.
type readersBench struct {
	*testing.T
	url, points      string
	store            *store.DB
	victim, survivor *replica
	// victimDir and survivorDir are the data directories, which the reading processes get.
	victimDir, survivorDir string
	owner                  *browser
	agent                  string
}

// startVictim starts a replica that is alone: the survivor is suspended until takeOver.
func (b *readersBench) startVictim() {
	b.Helper()
	b.signal(syscall.SIGSTOP)
	b.victimDir = b.TempDir()
	b.victim = startProgram(b, failing(), b.url, "FAILPOINTS_DIR="+b.points,
		"AGENTCHAT_DATA_DIR="+b.victimDir)
}

// signal suspends or resumes the survivor.
func (b *readersBench) signal(signal syscall.Signal) {
	b.Helper()
	if err := b.survivor.command.Process.Signal(signal); err != nil {
		b.Fatal(err)
	}
}

// takeOver ends the lease of the victim's reader and resumes the survivor, which looks for files
// after an upload. It returns once no file waits.
func (b *readersBench) takeOver(name string) {
	b.Helper()
	execute(b, b.url, `UPDATE knowledge_files SET due = clock_timestamp() WHERE due IS NOT NULL`)
	b.signal(syscall.SIGCONT)
	later := "after-" + name + ".txt"
	b.owner.upload(b.survivor, b.agent, later, []byte("Nothing but "+name+"."))
	b.until(later, "READY")
	b.until(name, "READY")
}

func (b *readersBench) state(name string) (state string) {
	b.Helper()
	readRow(b, b.store, `SELECT state FROM knowledge_sources WHERE name = $1`, []any{name}, &state)
	return state
}

func (b *readersBench) expect(name, state string) {
	b.Helper()
	if got := b.state(name); got != state {
		b.Errorf("%s is %s, want %s", name, got, state)
	}
}

func (b *readersBench) until(name, state string) {
	b.Helper()
	eventually(b, name+" is "+state, func() bool { return b.state(name) == state })
}

// readers returns the number of processes that read files of the victim.
func (b *readersBench) readers() (n int) {
	found, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range found {
		line, err := os.ReadFile(path)
		if err == nil && bytes.Contains(line, []byte(reading.Command)) &&
			bytes.Contains(line, []byte(b.victimDir)) {
			n++
		}
	}
	return n
}

// compiled reports whether a data directory has the compiled reader of PDF files.
func compiled(dir string) bool {
	found, _ := filepath.Glob(filepath.Join(dir, "reading", "compiled", "*", "*"))
	return len(found) > 0
}

// TestKilledReaders: a replica is killed while a process of its own reads a file, before it stores
// the text, and after that. Its process ends with it, and another replica completes each file once.
// Compiles the reader of PDF files twice.
func TestKilledReaders(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	b := &readersBench{T: t, url: storetest.URL(t), points: t.TempDir(), survivorDir: t.TempDir()}
	b.store = storetest.Open(t, b.url)
	auditing(t, b.store)
	b.survivor = start(t, b.url, "AGENTCHAT_DATA_DIR="+b.survivorDir)
	b.owner = newBrowser(t)
	b.owner.signedUp(b.survivor, "files@example.com", ownersPassword)
	b.agent = b.owner.makeExport(b.survivor).agent

	b.startVictim()
	b.owner.upload(b.victim, b.agent, "reading.pdf", filetest.PDF(true, "one", "two", "three"))
	eventually(t, "a process reads", func() bool { return b.readers() == 1 })
	b.owner.upload(b.victim, b.agent, "waiting.docx", filetest.Docx(filetest.P("", "four")))
	b.expect("reading.pdf", "READING")
	b.expect("waiting.docx", "WAITING")
	b.victim.kill()
	eventually(t, "no process reads", func() bool { return b.readers() == 0 })
	if compiled(b.victimDir) {
		t.Error("the process continued until it had compiled the reader of PDF files")
	}
	b.takeOver("reading.pdf")
	b.until("waiting.docx", "READY")
	if !compiled(b.survivorDir) {
		t.Error("the survivor has no compiled reader: this test looks in the wrong place")
	}

	filler := strings.Repeat("Each shelf is as good as any other. ", 40)
	for point, state := range map[string]string{
		"finish_file.before": "READING",
		"finish_file.after":  "READY",
	} {
		b.startVictim()
		arm(t, b.points, point, "kill")
		name := point + ".md"
		text := "# " + name + "\n\n" + filler + "\n\n# Two\n\nLast." // no other file has this text
		b.owner.upload(b.victim, b.agent, name, []byte(text))
		<-b.victim.exited
		if !wasHit(b.points, point) {
			t.Fatalf("the victim ended before %s", point)
		}
		b.expect(name, state)
		b.takeOver(name)
	}
	const sources = 7
	var ready, passages, distinct int
	readRow(t, b.store, `SELECT (SELECT count(*) FROM knowledge_sources WHERE state = 'READY'),
		count(*), count(DISTINCT (source, text)) FROM knowledge_passages`, nil,
		&ready, &passages, &distinct)
	if ready != sources || passages < sources || passages != distinct {
		t.Errorf("%d of %d sources are ready, with %d passages, %d different ones", ready, sources,
			passages, distinct)
	}
	storetest.Audit(t, b.store)
}
