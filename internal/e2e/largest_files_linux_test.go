package e2e_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentchat/internal/knowledge"
	"agentchat/internal/knowledge/filetext/filetest"
	"agentchat/internal/knowledge/reading"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// largest is about as many characters as a file can have, besides those of its Markdown.
const largest = knowledge.MaxCharacters * 95 / 100

// prose returns sentences in three scripts, in lines. The frequencies of words follow Zipf's law.
func prose(random *rand.Rand, characters int) string {
	var out strings.Builder
	for n, words := 0, 1; n < characters; words++ {
		number := int(math.Exp(random.Float64() * math.Log(30_000)))
		for first := []rune("aа一")[number%3]; number > 0; number /= 26 {
			out.WriteRune(first + rune(number%26))
			n++
		}
		end := " "
		switch {
		case words%90 == 0:
			end = ".\n"
		case words%15 == 0:
			end = ". "
		}
		out.WriteString(end)
		n += len(end)
	}
	return out.String()
}

// padded returns a file of the largest size: a text between others, with white space at its end.
func padded(before, text, after string) []byte {
	blank := strings.Repeat("\n", knowledge.MaxFile-len(before)-len(text)-len(after))
	return []byte(before + text + blank + after)
}

// largestFiles returns the largest file of each kind.
func largestFiles() map[string][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	text := prose(random, largest)
	var marked, table, paragraphs strings.Builder
	for i, line := range strings.Split(text, "\n") {
		fmt.Fprintf(&marked, "## Part %d\n- %s\n", i, line)
		fmt.Fprintf(&paragraphs, "<w:p><w:r><w:t>%s</w:t></w:r></w:p>", line)
		for cell := range strings.SplitSeq(line, ". ") {
			fmt.Fprintf(&table, "\"%s\";", cell)
		}
		table.WriteString("\n")
	}
	docx := func(media string) []byte {
		return filetest.Docx(paragraphs.String(), filetest.Part{Name: "word/media/a.png", Text: media})
	}
	media := make([]byte, knowledge.MaxFile-len(docx(""))-4<<10)
	for i := range media { // which cannot be compressed
		media[i] = byte(random.Uint32())
	}
	const pages, lines, wide = knowledge.MaxPages, 65, largest / knowledge.MaxPages / 65
	d, rest := filetest.Drawing{}, []rune(strings.ReplaceAll(text, "\n", " "))
	for range pages {
		d.Page()
		for i := range lines {
			d.Text(20, 820-12*float64(i), 8, strings.Split(string(rest[:wide]), "")...)
			rest = rest[wide:]
		}
	}
	tags := strings.NewReplacer("b", "<b>b</b>", "c", "<i>c</i>", "d", "<u>d</u>", "\n", "\n<p>")
	return map[string][]byte{
		"manual.txt":  padded("", text, ""),
		"manual.md":   padded("", marked.String(), ""),
		"manual.csv":  padded("", table.String(), ""),
		"manual.html": padded("<html><body><p>", tags.Replace(text), "</body>"),
		"manual.docx": docx(string(media)),
		"manual.pdf":  d.PDF(),
	}
}

// TestLargestFiles: right after the first start, a Word document does not wait for a PDF. Then, the
// largest file of each kind is read, and does not delay a small file of another account.
func TestLargestFiles(t *testing.T) {
	testlong.Only(t)
	const soon = 5 * time.Second
	url, dir := storetest.URL(t), t.TempDir() // it has no compiled reader
	s := storetest.Open(t, url)
	r := start(t, url)
	owner, other := newBrowser(t), newBrowser(t)
	owner.signedUp(r, "owner@example.com", ownersPassword)
	other.signedUp(r, "other@example.com", ownersPassword)
	others := other.makeExport(r).agent
	agents := map[string]string{"first.pdf": owner.makeExport(r).agent}
	files := largestFiles()
	for name := range files {
		agents[name] = owner.makeExport(r).agent
	}
	r.shutDown(t)
	// until waits for a state, and returns the time since the start and the most memory of a reader.
	until := func(name, state string, began time.Time, limit time.Duration) (time.Duration, int) {
		peak, look := 0, time.NewTicker(10*time.Millisecond)
		defer look.Stop()
		for got := ""; got != state; <-look.C {
			readRow(t, s, `SELECT state || coalesce(' ' || reason, '') FROM knowledge_sources
				WHERE name = $1`, []any{name}, &got)
			if got != state && (got == "READY" || strings.HasPrefix(got, "FAILED") ||
				time.Since(began) > limit) {
				t.Fatalf("%s: %s after %v, want %s", name, got, time.Since(began), state)
			}
			peak = max(peak, readersMemory(dir))
		}
		return time.Since(began), peak
	}
	r = start(t, url, "AGENTCHAT_DATA_DIR="+dir)
	began := time.Now()
	owner.upload(r, agents["first.pdf"], "first.pdf", filetest.PDF(true, "a"))
	other.upload(r, others, "first.docx", filetest.Docx(filetest.P("", "first")))
	first, _ := until("first.docx", "READY", began, soon)
	firstPDF, peak := until("first.pdf", "READY", began, reading.MaxTime)
	t.Logf("after the first start: docx %.1f s, pdf %.1f s with %d MiB", first.Seconds(),
		firstPDF.Seconds(), peak>>20)
	for name, content := range files {
		owner.upload(r, agents[name], name, content)
		began := time.Now()
		until(name, "READING", began, reading.MaxTime)
		small, behind := "behind "+name+".txt", time.Now()
		other.upload(r, others, small, []byte("behind a "+filepath.Ext(name)))
		waited, before := until(small, "READY", behind, soon)
		took, peak := until(name, "READY", began, reading.MaxTime)
		peak = max(peak, before)
		t.Logf("%s: %d bytes, %.1f s, %d MiB; the small file behind it %.1f s", name, len(content),
			took.Seconds(), peak>>20, waited.Seconds())
		if peak > reading.MaxMemory {
			t.Errorf("%s: %d bytes of memory", name, peak)
		}
	}
	storetest.Audit(t, s)
}

// readersMemory returns the most memory that a process now has had that reads files for a data
// directory, in bytes.
func readersMemory(dataDir string) (peak int) {
	for _, dir := range readers(dataDir) {
		status, _ := os.ReadFile(filepath.Join(dir, "status")) // it may have ended
		_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
		kib := 0
		_, _ = fmt.Sscan(string(rest), &kib)
		peak = max(peak, kib<<10)
	}
	return peak
}
