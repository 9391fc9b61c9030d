package e2e_test

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/faults"
	"agentchat/internal/store/storetest"
)

// previousRelease is the commit of version 0.1.0.
const previousRelease = "86e7f2b"

// buildRelease builds the program as of a commit.
func buildRelease(t *testing.T, commit string) string {
	t.Helper()
	dir := t.TempDir()
	archive := exec.CommandContext(t.Context(), "git", "archive", commit)
	archive.Dir = filepath.Join("..", "..")
	source, err := archive.Output()
	if err != nil {
		t.Fatalf("this clone does not have commit %s: fetch the whole history: %v", commit, err)
	}
	extract(t, dir, source)
	program := filepath.Join(dir, "agentchat-"+commit)
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", program, "./cmd/agentchat")
	build.Dir, build.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", commit, err, out)
	}
	return program
}

func extract(t *testing.T, dir string, source []byte) {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	for files := tar.NewReader(bytes.NewReader(source)); ; {
		file, err := files.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		switch file.Typeflag {
		case tar.TypeDir:
			err = root.MkdirAll(file.Name, 0o755)
		case tar.TypeReg:
			var data []byte
			if data, err = io.ReadAll(files); err == nil {
				err = root.WriteFile(file.Name, data, 0o644)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// upgrade is the setup of TestRollingUpgrade.
type upgrade struct {
	*balancer
	t        *faultRow
	client   *http.Client
	over     atomic.Bool
	answered atomic.Int64
	failed   atomic.Int64
}

// expect counts a request, and reports it unless it has the status.
func (u *upgrade) expect(what string, status int, got answer, err error) bool {
	if err != nil || got.Status != status {
		u.failed.Add(1)
		u.t.Errorf("%s: %s %v %s", what, got.outcome(), err, got.Body)
		return false
	}
	u.answered.Add(1)
	return true
}

// chat sends messages, whole and streamed, until the upgrade is over.
func (u *upgrade) chat(name, key string) {
	for i := 0; !u.over.Load(); i++ {
		r, err := u.pick()
		if err != nil {
			u.failed.Add(1)
			u.t.Errorf("%s: %v", name, err)
			return
		}
		if i%4 == 0 {
			end := follow(u.t.Context(), u.client, r.Chat, key, "[[sandbox words=20 pace=5ms]]")
			var got answer
			if got.Status = end.status; end.event != "end" {
				got.Status = 0
			}
			u.expect(name+", streamed", http.StatusOK, got, nil)
			continue
		}
		got, err := ask(u.t.Context(), u.client, r.Chat, key, fmt.Sprint(name, " ", i%5), "[[sandbox delay=20ms]]")
		u.expect(name, http.StatusOK, got, err)
	}
}

// deleteMeanwhile lets an owner delete conversations, and agents with a stream under way, through the replica that is next.
func (u *upgrade) deleteMeanwhile(owner *browser, first ownedExport, agents func() ownedExport) {
	for export := first; !u.over.Load(); export = agents() {
		r, err := u.pick()
		if err != nil {
			u.t.Error(err)
			return
		}
		ended := make(chan ending, 1)
		go func() {
			ended <- follow(u.t.Context(), u.client, r.Chat, export.key, "[[sandbox words=100 pace=5ms]]")
		}()
		got, err := ask(u.t.Context(), u.client, r.Chat, export.key, "s", "hello")
		u.expect("before the deletion", http.StatusOK, got, err)
		if r, err = u.pick(); err != nil {
			u.t.Error(err)
			return
		}
		removal := revocationOf("deleteAgent")
		deleted, err := owner.do(r, removal.mutation, removal.input(export))
		if err != nil || deleted.code() != "ok" {
			u.failed.Add(1)
			u.t.Errorf("delete an agent: %v %s", err, deleted.Raw)
		}
		if end := <-ended; end.pieces > 0 && end.event != "end" && end.event != "error" {
			u.failed.Add(1)
			u.t.Errorf("the stream of a deleted agent was cut: %+v", end)
		}
	}
}

// author lets an owner make, complete, edit, reopen and delete agents, each step through the replica that is next, and talk to them.
func (u *upgrade) author(owner *browser) {
	do := func(query string, input map[string]any) (got panelAnswer) {
		r, err := u.pick()
		if err == nil {
			got, err = owner.do(r, query, input)
		}
		if err != nil || got.code() != "ok" {
			u.failed.Add(1)
			u.t.Errorf("%s: %v %s", query, err, got.Raw)
		}
		return got
	}
	for i := 0; !u.over.Load(); i++ {
		var agent struct {
			CreateAgent struct{ Agent struct{ ID string } }
		}
		_ = json.Unmarshal(do(createAgent, map[string]any{"name": "Author's", "model": storetest.SandboxModel}).Data, &agent)
		id := map[string]any{"id": agent.CreateAgent.Agent.ID}
		edit := func(text string) { do(updateDraft, map[string]any{"id": id["id"], "instructions": text}) }
		edit("first")
		do(completeAgent, id)
		var export struct{ CreateAPIExport struct{ APIKey string } }
		_ = json.Unmarshal(do(createExport, map[string]any{"agentId": id["id"]}).Data, &export)
		say := func(what string, status int) {
			r, err := u.pick()
			var got answer
			if err == nil {
				got, err = ask(u.t.Context(), u.client, r.Chat, export.CreateAPIExport.APIKey, "s", "hello")
			}
			u.expect(what, status, got, err)
		}
		say("completed", http.StatusOK)
		edit("second")
		say("edited", http.StatusOK)
		do(reopenAgent, id)
		say("reopened", http.StatusConflict)
		edit("third")
		do(completeAgent, id)
		say("completed again", http.StatusOK)
		if i%2 == 0 || i > 1000 { // an account may have 1,000 agents
			do(revocationOf("deleteAgent").mutation, id)
			say("deleted", http.StatusUnauthorized)
		}
	}
}

// TestRollingUpgrade replaces replicas of version 0.1.0 by this build under load, one by one, with deletions, and lets both serve side by
// side. No request fails, and the ledger is exact.
func TestRollingUpgrade(tt *testing.T) {
	faults.Heavy(tt)
	tt.Parallel()
	t := newRow(tt, "F13")
	old := buildRelease(tt, previousRelease)
	url := storetest.EmptyURL(t)
	env := []string{"SHUTDOWN_DELAY=2s", "STARTING_CREDITS=1000000", "TRUSTED_PROXIES=127.0.0.1/32"}
	u := &upgrade{t: t, client: client(t), balancer: &balancer{}}
	for range 2 {
		u.add(startProgram(t, old, url, env...))
	}
	ctx, stop := context.WithCancel(t.Context())
	var background, load sync.WaitGroup
	defer func() { stop(); background.Wait() }()
	background.Go(func() { u.probe(ctx) })
	eventually(t, "both replicas are ready", func() bool { return u.isReady(0) && u.isReady(1) })
	s := storetest.Open(t, url)
	t.audit(s) // from the migration on

	_, export := newOwnedExport(tt, u.replicas[0], "10.2.0.1")
	for i := range 4 {
		load.Go(func() { u.chat(fmt.Sprint("caller ", i), export.key) })
	}
	deleter, doomed := newOwnedExport(tt, u.replicas[1], "10.2.0.2")
	load.Go(func() {
		u.deleteMeanwhile(deleter, doomed, func() ownedExport {
			r, err := u.pick()
			if err != nil {
				r = u.replicas[0]
			}
			return makeExport(tt, deleter, r)
		})
	})
	author, _ := newOwnedExport(tt, u.replicas[0], "10.2.0.3")
	load.Go(func() { u.author(author) })
	sideBySide := time.Duration(faults.Times(5, 60)) * time.Second
	for i := range 2 {
		before := u.answered.Load()
		// The new replica is added first, and migrates while the old ones serve.
		n := u.add(start(t, url, env...))
		eventually(t, "the new replica is used", func() bool { return u.isReady(n) })
		if i == 0 {
			<-time.After(sideBySide)
		}
		leaving := u.replicas[i]
		leaving.terminate()
		<-leaving.exited
		if code := leaving.command.ProcessState.ExitCode(); code != 0 {
			t.Errorf("replica %d: exit code %d\n%s", i, code, leaving.log.String())
		}
		if u.answered.Load() == before {
			t.Errorf("replica %d: nothing was answered meanwhile", i)
		}
		t.ran(1)
	}
	u.over.Store(true)
	load.Wait()
	eventually(t, "no hold is left", func() bool {
		var held int64
		err := s.DB().QueryRowContext(t.Context(), `SELECT sum(credits_held) FROM accounts`).Scan(&held)
		return err == nil && held == 0
	})
	storetest.Audit(t, s)
	eventually(t, "every live agent has a version", func() bool {
		var without, live int
		err := s.DB().QueryRowContext(t.Context(), `SELECT count(*) FILTER (WHERE v.number IS NULL), count(*) FROM agents a
			LEFT JOIN agent_versions v ON v.agent_id = a.id AND v.number = a.published_version WHERE a.state = 'COMPLETED'`).
			Scan(&without, &live)
		return err == nil && without == 0 && live > 2
	})
	t.measured("failed %d of %d requests; %v side by side", u.failed.Load(), u.failed.Load()+u.answered.Load(), sideBySide)
}
