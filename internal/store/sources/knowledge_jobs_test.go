package sources_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
)

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func addFile(t testing.TB, s *store.DB, a agent.Agent, name string) knowledge.Source {
	t.Helper()
	src, err := sources.On(s).AddFile(t.Context(), a.AccountID, a.ID, sources.NewFile{Name: name, Content: []byte("original of " + name)})
	if err != nil || src.State != knowledge.Waiting || src.Kind != knowledge.File || !src.InDraft {
		t.Fatalf("add %s: %+v, %v", name, src, err)
	}
	return src
}

func replaceFile(t testing.TB, s *store.DB, src knowledge.Source, accountID uuid.UUID, name string) knowledge.Source {
	t.Helper()
	out, err := sources.On(s).ReplaceWithFile(t.Context(), accountID, src.ID, sources.NewFile{Name: name, Content: []byte("original of " + name)})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// claim claims the next quick file and checks its name; "" expects no file.
func claim(t testing.TB, s *store.DB, want string) sources.FileJob {
	t.Helper()
	return claimIn(t, s, sources.Lane{Quick: true}, want)
}

func claimIn(t testing.TB, s *store.DB, lane sources.Lane, want string) sources.FileJob {
	t.Helper()
	job, err := sources.On(s).ClaimFile(t.Context(), lane, uuid.Nil)
	if want == "" && fault.Is(err, fault.NotFound) {
		return job
	}
	if err != nil || job.Name != want || string(job.Content) != "original of "+want {
		t.Fatalf("claimed %q %q, %v, want %q", job.Name, job.Content, err, want)
	}
	return job
}

// finishFile finishes a job with a text that contains the common search term and the file's name.
func finishFile(t testing.TB, s *store.DB, job sources.FileJob) {
	t.Helper()
	must(t, sources.On(s).FinishFile(t.Context(), job, knowledge.FileText{Text: "common " + job.Name}))
}

// lose expires the leases and delays of all files.
func lose(t testing.TB, s *store.DB) {
	t.Helper()
	storetest.Exec(t, s, `UPDATE knowledge_files SET due_at = clock_timestamp() WHERE due_at IS NOT NULL`)
}

// states describes the sources of an agent by name: "a READY, b FAILED".
func states(t testing.TB, s *store.DB, a agent.Agent) string {
	t.Helper()
	pages, err := sources.On(s).KnowledgeByAgents(t.Context(), a.AccountID, []uuid.UUID{a.ID}, 100, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, src := range pages[a.ID].Items {
		out = append(out, src.Name+" "+string(src.State))
	}
	slices.Sort(out)
	storetest.Audit(t, s)
	return strings.Join(out, ", ")
}

func wantStates(t testing.TB, s *store.DB, a agent.Agent, what, want string) {
	t.Helper()
	if got := states(t, s, a); got != want {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

// TestFileIsRead follows a file from its upload to a version.
func TestFileIsRead(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	a, me, ctx := f.Agent, f.Account.ID, t.Context()
	woken := 0
	s.OnFile(func() { woken++ })
	claim(t, s, "")
	src := addFile(t, s, a, "a")
	if src.Size != 13 || src.Passages != 0 || woken != 1 {
		t.Errorf("added: %+v, woken %d times", src, woken)
	}
	unread, err := sources.On(s).UnpublishedKnowledge(ctx, me, a.ID, 1)
	if err != nil || len(unread) != 1 || unread[0].ID != src.ID {
		t.Errorf("unpublished: %+v, %v", unread, err)
	}
	if _, version := storetest.PublishNoted(t, s, a, ""); version.Number != 1 {
		t.Errorf("nothing can be published yet, and there is version %d", version.Number)
	}
	job := claim(t, s, "a")
	wantStates(t, s, a, "claimed", "a READING")
	claim(t, s, "")
	notes := []knowledge.Note{{Code: knowledge.NoteDeclaration, Message: "Wrong.", Count: 1,
		Encoding: new("big5")}}
	must(t, sources.On(s).FinishFile(ctx, job, knowledge.FileText{Text: "common a\fcommon b", Pages: 2,
		Encoding: "big5", Notes: notes}))
	wantStates(t, s, a, "read", "a READY")
	found, err := sources.On(s).KnowledgeByIDs(ctx, me, []uuid.UUID{src.ID})
	if got := found[src.ID]; err != nil || got.Passages != 2 || got.Pages == nil || *got.Pages != 2 || got.Characters != 17 || got.Size != 13 {
		t.Errorf("read: %+v, %v", got, err)
	}
	if got := found[src.ID]; *got.Encoding != "big5" || !reflect.DeepEqual(got.Notes, notes) {
		t.Errorf("encoding %v, notes %+v", got.Encoding, got.Notes)
	}
	if err := sources.On(s).FinishFile(ctx, job, knowledge.FileText{Text: "other"}); !fault.Is(err, fault.NotFound) {
		t.Errorf("read twice: %v", err)
	}
	if err := sources.On(s).FailFile(ctx, job, "no", nil); !fault.Is(err, fault.NotFound) {
		t.Errorf("read and failed: %v", err)
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM knowledge_files`); n != 0 {
		t.Errorf("%d originals are left", n)
	}
	storetest.PublishNoted(t, s, a, "")
	if got := knows(t, s, a); got != "draft: a; 1: ; 2: a" {
		t.Errorf("published: %s", got)
	}
	storetest.RefusedWith(t, "reading what is READY", storetest.ErrOnly(sources.On(s).RetryFile(ctx, me, src.ID, true, nil)), "Only failed")
}

// TestReadersAreLost tests that a file whose reader is lost has three attempts and ends once.
func TestReadersAreLost(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	a, me, ctx := f.Agent, f.Account.ID, t.Context()
	src := addFile(t, s, a, "a")
	first := claim(t, s, "a")
	lose(t, s)
	second := claim(t, s, "a")
	for what, end := range map[string]error{"finished": sources.On(s).FinishFile(ctx, first, knowledge.FileText{Text: "common x"}), "failed": sources.On(s).FailFile(ctx, first, "x", nil),
		"released": sources.On(s).ReleaseFile(ctx, first, true)} {
		if !fault.Is(end, fault.NotFound) {
			t.Errorf("%s by a reader that was lost: %v", what, end)
		}
	}
	if err := sources.On(s).ReleaseFile(ctx, second, false); err != nil { // a clean shutdown is no attempt
		t.Fatal(err)
	}
	wantStates(t, s, a, "released", "a WAITING")
	second = claim(t, s, "a")
	must(t, sources.On(s).ReleaseFile(ctx, second, true))
	claim(t, s, "") // it is delayed
	lose(t, s)
	third := claim(t, s, "a")
	if third.Attempts != 3 {
		t.Errorf("attempt %d", third.Attempts)
	}
	lose(t, s)
	claim(t, s, "")
	wantStates(t, s, a, "lost three times", "a FAILED")
	if err := sources.On(s).FinishFile(ctx, third, knowledge.FileText{Text: "common a"}); !fault.Is(err, fault.NotFound) {
		t.Errorf("read after it has failed: %v", err)
	}
	if again, err := sources.On(s).RetryFile(ctx, me, src.ID, true, new("big5")); err != nil || again.State != knowledge.Waiting || again.Reason != nil {
		t.Errorf("again: %+v, %v", again, err)
	}
	job := claim(t, s, "a")
	must(t, sources.On(s).FailFile(ctx, job, "No.", []knowledge.Note{{Code: knowledge.NoteQuotes,
		Message: "x", Count: 1}}))
	failed, err := sources.On(s).KnowledgeByIDs(ctx, me, []uuid.UUID{src.ID})
	if job.Encoding != "big5" || err != nil || len(failed[src.ID].Notes) != 1 {
		t.Errorf("with the owner's encoding: %q, %+v, %v", job.Encoding, failed, err)
	}
	must(t, storetest.ErrOnly(sources.On(s).RetryFile(ctx, me, src.ID, false, nil)))
	if job = claim(t, s, "a"); job.Encoding != "big5" {
		t.Errorf("read again: the encoding is %q", job.Encoding)
	}
	must(t, sources.On(s).FailFile(ctx, job, "No.", nil))
	if again, err := sources.On(s).RetryFile(ctx, me, src.ID, true, nil); err != nil || len(again.Notes) > 0 {
		t.Errorf("detected again: %+v, %v", again, err)
	}
	for range 2 {
		must(t, sources.On(s).ReleaseFile(ctx, claim(t, s, "a"), true))
		lose(t, s)
	}
	finishFile(t, s, claim(t, s, "a"))
	wantStates(t, s, a, "again", "a READY")
}

// TestRetriesAtOnce tests that only one of two retries of a FAILED file at once queues it.
func TestRetriesAtOnce(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	src := addFile(t, s, f.Agent, "a")
	must(t, sources.On(s).FailFile(t.Context(), claim(t, s, "a"), "No.", nil))
	tx, err := s.SQL().BeginTx(t.Context(), nil)
	must(t, err)
	defer func() { _ = tx.Rollback() }()
	must(t, storetest.ErrOnly(tx.ExecContext(t.Context(), `SELECT FROM knowledge_files FOR UPDATE`)))
	queued := make(chan int, 1)
	go func() {
		queued <- storetest.AtOnce(t, 2, fault.Conflict, func() error {
			return storetest.ErrOnly(sources.On(s).RetryFile(t.Context(), f.Account.ID, src.ID, true, nil))
		})
	}()
	storetest.WaitForLocks(t, s, 2)
	must(t, tx.Rollback())
	if n := <-queued; n != 1 {
		t.Errorf("%d retries queued the file, want 1", n)
	}
	finishFile(t, s, claim(t, s, "a"))
	claim(t, s, "")
	wantStates(t, s, f.Agent, "read once", "a READY")
}

// TestReplicasClaim tests that each file is read once, and that accounts take turns.
func TestReplicasClaim(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	other := storetest.Seed(t, s, storetest.Options{})
	for i := range 6 {
		addFile(t, s, f.Agent, fmt.Sprint("f", i))
	}
	addFile(t, s, other.Agent, "g0")
	addFile(t, s, other.Agent, "g1")
	var order []string
	after := uuid.Nil
	for range 4 {
		job, err := sources.On(s).ClaimFile(t.Context(), sources.Lane{Quick: true}, after)
		if err != nil {
			t.Fatal(err)
		}
		order, after = append(order, job.Name), job.AccountID
	}
	slices.Sort(order)
	if !slices.Equal(order, []string{"f0", "f1", "g0", "g1"}) {
		t.Errorf("the first four are %v", order)
	}
	lose(t, s)
	var read sync.Map
	var work sync.WaitGroup
	for range 2 {
		replica := storetest.Replica(t, s)
		for range 2 {
			work.Go(func() {
				ctx := context.WithoutCancel(t.Context())
				for {
					job, err := sources.On(replica).ClaimFile(ctx, sources.Lane{Quick: true}, uuid.Nil)
					if fault.Is(err, fault.NotFound) {
						return
					}
					if _, twice := read.LoadOrStore(job.Name, true); twice || err != nil {
						t.Errorf("%s was claimed twice: %v", job.Name, err)
						return
					}
					if err := sources.On(replica).FinishFile(ctx, job, knowledge.FileText{Text: "common " + job.Name}); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	work.Wait()
	wantStates(t, s, f.Agent, "all", "f0 READY, f1 READY, f2 READY, f3 READY, f4 READY, f5 READY")
	wantStates(t, s, other.Agent, "all", "g0 READY, g1 READY")
}

// TestLanes tests which files a lane gets, and that an account without a file being read comes first.
func TestLanes(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	other := storetest.Seed(t, s, storetest.Options{})
	quick, slow, noPDF := sources.Lane{Quick: true}, sources.Lane{}, sources.Lane{NoPDF: true}
	addFile(t, s, f.Agent, "first.PDF")
	addFile(t, s, f.Agent, "a.docx")
	claimIn(t, s, noPDF, "")
	must(t, sources.On(s).MoveToSlowLane(t.Context(), claimIn(t, s, quick, "a.docx")))
	claimIn(t, s, quick, "")
	if second := claimIn(t, s, noPDF, "a.docx"); second.Attempts != 1 {
		t.Errorf("attempt %d, want 1", second.Attempts)
	}
	addFile(t, s, other.Agent, "second.pdf")
	claimIn(t, s, slow, "second.pdf") // the other account has a file that is being read
	claimIn(t, s, slow, "first.PDF")
	claimIn(t, s, slow, "")
	wantStates(t, s, f.Agent, "claimed", "a.docx READING, first.PDF READING")
}

// TestClaimReadsLittle tests that a claim steps over the files of an account that has many.
func TestClaimReadsLittle(t *testing.T) {
	t.Parallel()
	s, plan := storetest.Planner(t, storetest.URL(t))
	f := storetest.Seed(t, s, storetest.Options{})
	other := storetest.Seed(t, s, storetest.Options{})
	storetest.Bulk(t, s, `WITH x AS (
			INSERT INTO knowledge_sources (id, account_id, agent_id, kind, name, state, size)
			SELECT gen_random_uuid(), $1, $2, 'FILE', n || '.txt', 'WAITING', 1
			FROM generate_series(1, 5000) n RETURNING number)
		INSERT INTO knowledge_files (source, account_id, content, quick)
			SELECT number, $1, 'a', true FROM x`, f.Account.ID, f.Agent.ID)
	storetest.Bulk(t, s, `ANALYZE knowledge_files, knowledge_sources`)
	for range 2 {
		addFile(t, s, other.Agent, "other")
	}
	for range 3 {
		read := plan(func() error {
			_, err := sources.On(s).ClaimFile(t.Context(), sources.Lane{Quick: true}, uuid.Nil)
			return err
		})
		if read.Blocks > 60 || len(read.Scanned) > 0 {
			t.Errorf("it read %.0f pages, and all of %q", read.Blocks, read.Scanned)
		}
	}
}
