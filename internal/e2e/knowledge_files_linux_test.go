package e2e_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/knowledge/filetext/filetest"
	"agentchat/internal/knowledge/reading"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

const (
	addFile   = `mutation($input: AddKnowledgeFileInput!) { addKnowledgeFile(input: $input) { source { id } } }`
	retryFile = `mutation($input: RetryKnowledgeSourceInput!) { retryKnowledgeSource(input: $input) { source { id } } }`
)

// upload adds a file to an agent and returns the ID of its source.
func (b *browser) upload(r *replica, agent, name string, content []byte) string {
	b.t.Helper()
	operations, err := json.Marshal(map[string]any{"query": addFile,
		"variables": map[string]any{"input": map[string]any{"agentId": agent, "name": name, "file": nil}}})
	if err != nil {
		b.t.Fatal(err)
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, part := range []struct {
		name string
		text []byte
	}{{"operations", operations}, {"map", []byte(`{"0": ["variables.input.file"]}`)}, {"0", content}} {
		w, err := form.CreateFormFile(part.name, name)
		if err == nil {
			_, err = w.Write(part.text)
		}
		if err != nil {
			b.t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		b.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, r.base()+"/graphql", &body)
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Content-Type", form.FormDataContentType())
	req.Header.Set("Authorization", "Bearer "+b.Token)
	resp, err := b.http.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	got := panelAnswer{Status: resp.StatusCode, Raw: string(raw)}
	if err != nil || json.Unmarshal(raw, &got) != nil || got.code() != "ok" {
		b.t.Fatalf("upload %s: %v %d %s", name, err, got.Status, got.Raw)
	}
	return sourceOf(b.t, got, "addKnowledgeFile")
}

// fileBench is a replica that is killed while it has files, and one that takes them over.
type fileBench struct {
	t                *testing.T
	url, points      string
	store            *store.DB
	victim, survivor *replica
	// data is the victim's data directory, which the processes that read its files are given, and kept is the survivor's.
	data, kept string
	owner      *browser
	agent      string
	ids        map[string]string // of sources, by their names
}

func newFileBench(t *testing.T) *fileBench {
	t.Helper()
	b := &fileBench{t: t, url: storetest.URL(t), points: t.TempDir(), kept: t.TempDir(), owner: newBrowser(t), ids: map[string]string{}}
	b.store = storetest.Open(t, b.url)
	auditing(t, b.store)
	b.survivor = start(t, b.url, "AGENTCHAT_DATA_DIR="+b.kept)
	b.owner.signedUp(b.survivor, "files@example.com", ownersPassword)
	b.agent = makeExport(t, b.owner, b.survivor).agent
	return b
}

// begin starts a victim that has everything that is added for itself: the survivor is suspended until resume.
func (b *fileBench) begin() {
	b.t.Helper()
	b.signal(syscall.SIGSTOP)
	b.data = b.t.TempDir()
	b.victim = startProgram(b.t, failing(), b.url, "FAILPOINTS_DIR="+b.points, "AGENTCHAT_DATA_DIR="+b.data)
}

// signal suspends the survivor, or lets it go on.
func (b *fileBench) signal(signal syscall.Signal) {
	b.t.Helper()
	if err := b.survivor.command.Process.Signal(signal); err != nil {
		b.t.Fatal(err)
	}
}

// resume lets the survivor take over, whose next look for files is a new one away.
func (b *fileBench) resume() {
	b.t.Helper()
	b.signal(syscall.SIGCONT)
	name := fmt.Sprintf("look%d.txt", len(b.ids))
	b.add(b.survivor, name, []byte(theWord(name, 1)))
	b.until(name, "READY")
}

func (b *fileBench) add(r *replica, name string, content []byte) {
	b.t.Helper()
	b.ids[name] = b.owner.upload(r, b.agent, name, content)
}

// lose ends the two-minute leases of all readers now.
func (b *fileBench) lose() {
	b.t.Helper()
	if _, err := b.store.SQL().ExecContext(b.t.Context(), `UPDATE knowledge_files SET due = clock_timestamp() WHERE due IS NOT NULL`); err != nil {
		b.t.Fatal(err)
	}
}

func (b *fileBench) state(name string) (state string) {
	b.t.Helper()
	if err := b.store.SQL().QueryRowContext(b.t.Context(), `SELECT state || coalesce(': ' || reason, '') FROM knowledge_sources WHERE id = $1`,
		b.ids[name]).Scan(&state); err != nil {
		b.t.Fatal(err)
	}
	return state
}

func (b *fileBench) want(what, name, state string) {
	b.t.Helper()
	if got := b.state(name); got != state {
		b.t.Errorf("%s: %s is %s, want %s", what, name, got, state)
	}
}

func (b *fileBench) until(name, state string) {
	b.t.Helper()
	eventually(b.t, name+" is "+state, func() bool { return b.state(name) == state })
}

// readers is how many processes read files of the victim.
func (b *fileBench) readers() (n int) {
	found, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range found {
		line, err := os.ReadFile(path)
		if err == nil && bytes.Contains(line, []byte(reading.Command)) && bytes.Contains(line, []byte(b.data)) {
			n++
		}
	}
	return n
}

// killed waits until the victim is killed at an armed fail point. Nothing that it started goes on.
func (b *fileBench) killed(point string) {
	b.t.Helper()
	eventually(b.t, "the victim is killed", func() bool {
		select {
		case <-b.victim.exited:
			return true
		default:
			return false
		}
	})
	if point != "" && !wasHit(b.points, point) {
		b.t.Fatalf("the victim ended before %s", point)
	}
	eventually(b.t, "no process reads on", func() bool { return b.readers() == 0 })
}

// theWord is one that the n-th passage of a file has, and nothing else has a part of.
func theWord(name string, n int) string {
	sum := sha256.Sum256(fmt.Append(nil, name, n))
	return strings.Map(func(digit rune) rune { return digit%16 + 'g' }, hex.EncodeToString(sum[:8]))
}

// TestFilesOfKilledReplicas: a replica is killed before it reads a file, while it does, before the text is stored and after that. The other
// one ends each job, once, and nothing of the killed one reads on. A file that loses three of them has failed.
func TestFilesOfKilledReplicas(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	filler := strings.Repeat(" Each shelf is as good as any other.", 40)
	b := newFileBench(t)
	b.killWhileReading()
	for point, state := range map[string]string{"finish_file.before": "READING", "finish_file.after": "READY"} {
		b.begin()
		arm(t, b.points, point, "kill")
		name := point + ".md"
		b.add(b.victim, name, []byte("# One\n\n"+theWord(name, 1)+filler+"\n\n# Two\n\n"+theWord(name, 2)+filler))
		b.killed(point)
		b.want(point, name, state)
		b.lose()
		b.resume()
		b.until(name, "READY")
	}
	b.killThree()
	b.begin() // so that there are two again
	b.signal(syscall.SIGCONT)
	for _, r := range []*replica{b.victim, b.survivor} {
		b.wantAll(r)
	}
	storetest.Audit(t, b.store)
}

// killWhileReading kills a replica whose process gets ready to read a file, for seconds, and behind which another file waits.
func (b *fileBench) killWhileReading() {
	b.t.Helper()
	b.begin()
	b.add(b.victim, "reading.pdf", filetest.PDF(true, theWord("reading.pdf", 1), theWord("reading.pdf", 2), theWord("reading.pdf", 3)))
	eventually(b.t, "a process reads", func() bool { return b.readers() == 1 })
	b.add(b.victim, "waiting.docx", filetest.Docx(filetest.P("", theWord("waiting.docx", 1))))
	b.want("read", "reading.pdf", "READING")
	b.want("behind it", "waiting.docx", "WAITING")
	b.victim.kill()
	b.killed("")
	if compiled, err := filepath.Glob(filepath.Join(b.data, "reading", "compiled", "*", "*")); err != nil || len(compiled) > 0 {
		b.t.Errorf("the process went on until it had compiled the reader of PDF files: %v %v", compiled, err)
	}
	b.signal(syscall.SIGCONT)
	b.until("waiting.docx", "READY")
	b.want("before its lease ends", "reading.pdf", "READING")
	b.lose()
	b.resume()
	b.until("reading.pdf", "READY")
	if compiled, _ := filepath.Glob(filepath.Join(b.kept, "reading", "compiled", "*", "*")); len(compiled) == 0 {
		b.t.Error("the survivor has not kept the compiled reader: what is looked for above is nowhere")
	}
}

// killThree kills three replicas that read the same file. Its owner can have it read again.
func (b *fileBench) killThree() {
	b.t.Helper()
	const point, name = "finish_file.before", "three.txt"
	for n := range 3 {
		b.begin()
		arm(b.t, b.points, point, "kill")
		if n == 0 {
			b.add(b.victim, name, []byte(theWord(name, 1)))
		} else {
			b.lose()
		}
		b.killed(point)
		b.want(fmt.Sprint("kill ", n), name, "READING")
	}
	b.lose()
	b.resume()
	b.until(name, "FAILED: Reading the file was interrupted three times. Try again, or save it in another format.")
	b.owner.must(b.survivor, retryFile, map[string]any{"id": b.ids[name]})
	b.until(name, "READY")
}

// wantAll checks that a search over a replica finds each passage of each file, once, and that there are no others.
func (b *fileBench) wantAll(r *replica) {
	b.t.Helper()
	passages := 0
	for name, id := range b.ids {
		n := map[string]int{".pdf": 3, ".md": 2}[filepath.Ext(name)]
		for i := range max(n, 1) {
			passages++
			var found []struct {
				Text   string
				Source struct{ ID uuid.UUID }
			}
			b.owner.must(r, fmt.Sprintf(`{ searchKnowledge(agentId: %q, message: %q) { text source { id } } }`, b.agent, theWord(name, i+1)), nil).
				into(b.t, "searchKnowledge", &found)
			if len(found) != 1 || found[0].Source.ID.String() != id || !strings.Contains(found[0].Text, theWord(name, i+1)) {
				b.t.Errorf("found for %s: %+v", theWord(name, i+1), found)
			}
		}
	}
	var sources, ready, has int
	if err := b.store.SQL().QueryRowContext(b.t.Context(), `SELECT count(*), count(*) FILTER (WHERE state = 'READY'),
			(SELECT count(*) FROM knowledge_passages) FROM knowledge_sources`).Scan(&sources, &ready, &has); err != nil {
		b.t.Fatal(err)
	}
	if sources != len(b.ids) || ready != sources || has != passages {
		b.t.Errorf("%d sources, %d of them ready, with %d passages, want %d with %d", sources, ready, has, len(b.ids), passages)
	}
}

// sourceOf returns the ID of the source in an answer.
func sourceOf(t *testing.T, got panelAnswer, field string) string {
	t.Helper()
	var made struct{ Source struct{ ID string } }
	got.into(t, field, &made)
	return made.Source.ID
}
