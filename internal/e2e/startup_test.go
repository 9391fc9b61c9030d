package e2e_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"

	"agentchat/internal/store/storetest"
)

// TestStartRefusesDatabases: a start on an unusable database ends with one line that names the
// database without its password.
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
	admin := storetest.Open(t, real.String()).SQL()
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
	for name, row := range map[string]struct {
		url   string
		texts []string
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
			startFails(t, row.url, nil, row.texts...)
		})
	}
}

// fakePostgres starts a server that speaks enough of PostgreSQL's protocol (version 3) to report a
// version: it accepts every user and answers every statement with the version. It returns the
// server's address.
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
	row := &pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{{
		Name:         []byte("server_version_num"),
		DataTypeOID:  textOID,
		DataTypeSize: -1,
		TypeModifier: -1,
	}}}
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
