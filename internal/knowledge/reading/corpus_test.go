package reading_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/knowledge/reading"
	"agentchat/internal/testlong"
)

// TestPublicCorpora reads all files in the directory AGENTCHAT_TEST_CORPUS, such as those of public test
// corpora. Each is read or refused within the limits, and characters that could not be read are
// counted. The outcomes are stored in the directory with ".read" added to its name. A file whose
// outcome is not the stored one fails the test once; the earlier outcome is then in a file with
// ".before" added to its name.
func TestPublicCorpora(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	corpus := os.Getenv("AGENTCHAT_TEST_CORPUS")
	if corpus == "" {
		t.Skip("AGENTCHAT_TEST_CORPUS is not set")
	}
	r := newReader(t)
	err := filepath.WalkDir(corpus, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		outcome := readOne(t, r, path, data)
		return compare(t, filepath.Join(corpus+".read", strings.TrimPrefix(path, corpus)), outcome)
	})
	if err != nil {
		t.Error(err)
	}
}

// readOne returns the outcome of a file: its text or the refusal, below a line with the rest.
func readOne(t *testing.T, r *reading.Reader, path string, data []byte) string {
	t.Helper()
	start := time.Now()
	text, err := r.Read(t.Context(), filepath.Base(path), "", data)
	if err != nil && !fault.Is(err, fault.InvalidInput) ||
		time.Since(start) > reading.MaxTime+10*time.Second {
		t.Errorf("%s: %v after %v", path, err, time.Since(start))
	}
	if strings.ContainsFunc(text.Text, isUnreadable) && !isNoted(text.Notes) {
		t.Errorf("%s has unreadable characters that no note counts", path)
	}
	body := text.Text
	if text.Text = ""; err != nil {
		body = err.Error()
	}
	head, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(head) + "\n" + body
}

func isUnreadable(c rune) bool { return c == unicode.ReplacementChar || unicode.Is(unicode.Co, c) }

func isNoted(notes []knowledge.Note) bool {
	for _, n := range notes {
		if n.Code == knowledge.NoteUnreadable {
			return true
		}
	}
	return false
}

// compare stores the outcome of a file.
func compare(t *testing.T, file, outcome string) error {
	t.Helper()
	before, err := os.ReadFile(file)
	if err == nil && string(before) != outcome {
		t.Errorf("%s has changed", file)
		err = os.WriteFile(file+".before", before, 0o600)
	}
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(outcome), 0o600)
}
