package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// previousRelease names the commit to upgrade from. Without it, that is the last line of
// .ci/releases, or HEAD before the first release.
const previousRelease = "AGENTCHAT_TEST_RELEASE"

// repository is the root of the source tree.
var repository = filepath.FromSlash("../..")

// releaseCommit returns the commit of the release to upgrade from.
func releaseCommit(t *testing.T) string {
	t.Helper()
	if commit := os.Getenv(previousRelease); commit != "" {
		return commit
	}
	list, err := os.ReadFile(filepath.Join(repository, ".ci", "releases"))
	if err != nil {
		t.Fatal(err)
	}
	commit := "HEAD"
	for line := range strings.Lines(string(list)) {
		line, _, _ = strings.Cut(line, "#")
		if fields := strings.Fields(line); len(fields) == 2 { // the version and its commit
			commit = fields[1]
		}
	}
	return commit
}

// releasedProgram builds the program of the release to upgrade from, with a placeholder as its panel.
func releasedProgram(t *testing.T) string {
	t.Helper()
	commit, dir := releaseCommit(t), t.TempDir()
	t.Logf("upgrades from %s", commit)
	archive, tree := filepath.Join(dir, "source.tar"), filepath.Join(dir, "source")
	for _, args := range [][]string{
		{"git", "-C", repository, "archive", "--output", archive, "--prefix", "source/", commit},
		{"tar", "-x", "-f", archive, "-C", dir},
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	path := filepath.Join(dir, "agentchat-released")
	build(tree, path)
	return path
}

var created = regexp.MustCompile(`(?m)^CREATE (?:TYPE|FUNCTION) (\w+)`)

// nextProgram builds the tree as the next release might be: with a migration that adds a column, and
// a new version of settle_turns that writes it.
func nextProgram(t *testing.T) string {
	t.Helper()
	const functions, caller = "internal/store/internal/db/sql/functions/", "internal/store/turns/settle.go"
	dir, replaced := t.TempDir(), map[string]string{}
	read := func(path string) string {
		text, err := os.ReadFile(filepath.Join(repository, path))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	put := func(path, text string) {
		target, err := filepath.Abs(filepath.Join(repository, path))
		replaced[target] = filepath.Join(dir, filepath.Base(path))
		if err != nil || os.WriteFile(replaced[target], []byte(text), 0o600) != nil {
			t.Fatalf("%s cannot be replaced: %v", path, err)
		}
	}
	substitute := func(text, old, next string) string {
		if strings.Count(text, old) != 1 {
			t.Fatalf("%q is not in the source exactly once", old)
		}
		return strings.Replace(text, old, next, 1)
	}
	put("migrations/9999_next.sql", "-- +goose Up\nALTER TABLE turns ADD COLUMN settled_by_next boolean;\n")
	code := read(caller)
	function := regexp.MustCompile(`settle_turns_\d+`).FindString(code)
	put(caller, substitute(code, function, function+"_next"))
	text := read(functions + function + ".sql")
	for _, match := range created.FindAllStringSubmatch(text, -1) {
		text = regexp.MustCompile(`\b`+match[1]+`\b`).ReplaceAllString(text, match[1]+"_next")
	}
	put(functions+function+"_next.sql", substitute(text, "UPDATE turns t SET ", "UPDATE turns t SET settled_by_next = true, "))
	config, _ := json.Marshal(map[string]any{"Replace": replaced}) // texts only
	overlay, path := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "agentchat-next")
	if err := os.WriteFile(overlay, config, 0o600); err != nil {
		t.Fatal(err)
	}
	build(".", path, "-overlay", overlay)
	return path
}

// signUpFixture creates what callers need through the panel's API, because the database has the schema
// of the replica's release.
func signUpFixture(t *testing.T, r *replica) (owner *browser, f storetest.Fixture) {
	t.Helper()
	owner = newBrowser(t)
	owner.signedUp(r, "ada@example.com", ownersPassword)
	export := owner.makeExport(r)
	owner.must(r, updateAgent, map[string]any{"id": export.agent, "actions": orderActions})
	owner.must(r, publishAgent, map[string]any{"id": export.agent})
	owner.must(r, mutation("updateApiExport", "export { id }"), map[string]any{
		"id": export.export, "rateLimitPerMinute": agent.MaxRatePerMinute,
	})
	var viewer struct{ ID uuid.UUID }
	owner.must(r, viewerQuery, nil).into(t, "viewer", &viewer)
	f.Account.ID, f.Agent.ID = viewer.ID, uuid.MustParse(export.agent)
	f.Key, _ = apikey.Parse(export.key)
	return owner, f
}

// expectServing waits until every replica is ready and answers the panel's lists.
func expectServing(l *load, owner *browser) {
	l.t.Helper()
	const lists = `{ viewer { agents(first: 2) { nodes { id exports { id } } } requests(first: 2) { nodes { id } }
		conversations(first: 2) { nodes { turns(first: 2) { nodes { message reply } } } } } }`
	last := ""
	defer func() {
		if l.t.Failed() {
			l.t.Log(last)
		}
	}()
	for _, r := range l.replicas {
		eventually(l.t, "the replica is ready and answers the panel", func() bool {
			got, err := owner.do(r, lists, nil)
			readiness := r.readiness()
			last = fmt.Sprint(readiness, got.Raw, err)
			return err == nil && got.code() == "ok" && readiness == "200 ready"
		})
	}
}

// runProgram runs a command of a program and returns its output.
func runProgram(t *testing.T, program, databaseURL, name string) string {
	t.Helper()
	out, err := command(t, program, databaseURL, name).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

// TestUpgradeAndBack upgrades a database and two replicas, one by one, to the release after this
// tree, and goes back, while 64 callers send messages and retry them over both. On the way back,
// the replicas crash. Each message has one reply and one charge, whichever release answers it.
func TestUpgradeAndBack(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	previous, next := releasedProgram(t), nextProgram(t)
	url := storetest.EmptyURL(t)
	var all []*replica
	serve := func(program string) *replica {
		r := startProgram(t, program, url, "STARTING_CREDITS=1000000")
		all = append(all, r)
		return r
	}
	runProgram(t, previous, url, "migrate")
	l := &load{t: t, store: storetest.Open(t, url), client: client(t), mixed: true, counts: map[string]int{}}
	l.replicas = []*replica{serve(previous), serve(previous)}
	owner, fixture := signUpFixture(t, l.replicas[0])
	l.fixture = fixture
	l.begin(64)
	runProgram(t, next, url, "migrate")
	auditing(t, l.store)
	l.more(200)
	expectServing(l, owner)
	for _, to := range []struct {
		program string
		end     func(*replica)
	}{{next, func(r *replica) { r.shutDown(t) }}, {previous, (*replica).kill}} {
		for i := range l.replicas {
			l.replace(i, to.end, func() *replica { return serve(to.program) })
			l.more(500)
			expectServing(l, owner)
		}
	}
	l.end()
	l.verdict()
	var byNext, byPrevious int
	readRow(t, l.store, `SELECT count(settled_by_next), count(*) - count(settled_by_next) FROM turns`, nil, &byNext, &byPrevious)
	t.Logf("%d turns were settled by the next release, %d by the previous one", byNext, byPrevious)
	if byNext < 500 || byPrevious < 500 {
		t.Error("a release did not serve")
	}
	for _, program := range []string{previous, next} {
		if out := runProgram(t, program, url, "verify"); !strings.HasPrefix(out, "the ledger is consistent") {
			t.Error(out)
		}
	}
	for _, r := range all {
		expectCleanLog(t, r.log.String())
	}
}
