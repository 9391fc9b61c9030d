package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

var shellBlock = regexp.MustCompile("(?s)```sh\n(curl .*?)```")

// TestDocumentedCalls runs the calls of the guides as they are printed, with curl.
func TestDocumentedCalls(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	url := storetest.URL(t)
	f, r := storetest.Seed(t, storetest.Open(t, url), storetest.Options{}), start(t, url)
	for guide, calls := range map[string]int{"chat-api.md": 2, "moving.md": 4} {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", guide))
		if err != nil {
			t.Fatal(err)
		}
		blocks := shellBlock.FindAllStringSubmatch(string(text), -1)
		if len(blocks) != calls {
			t.Errorf("%s has %d calls, not %d", guide, len(blocks), calls)
		}
		for _, block := range blocks {
			call := strings.ReplaceAll(block[1], "http://127.0.0.1:8080", r.base())
			command := exec.CommandContext(t.Context(), "sh", "-c", call)
			command.Env = append(os.Environ(), "AGENTCHAT_API_KEY="+f.Key.Reveal())
			out, err := command.CombinedOutput()
			if answer := string(out); err != nil || !strings.Contains(answer, `"finish_reason":"stop"`) {
				t.Errorf("%s: %v\n%s\n%s", guide, err, call, answer)
			}
		}
	}
}
