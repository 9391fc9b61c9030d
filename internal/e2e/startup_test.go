package e2e_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

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
		"PostgreSQL 13":     {reporting(t, real.String(), "130014"), []string{"130014", "14 or newer"}},
		"malformed version": {reporting(t, real.String(), "latest"), []string{"14 or newer"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			startFails(t, row.url, nil, row.texts...)
		})
	}
}

// reporting starts a proxy to PostgreSQL that replaces the version number which the server reports.
// It returns the URL of the database through the proxy.
func reporting(t *testing.T, databaseURL, version string) string {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	var actual string
	readRow(t, storetest.Open(t, databaseURL), `SHOW server_version_num`, nil, &actual)
	if len(version) != len(actual) {
		t.Fatalf("%s cannot replace %s", version, actual)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	forward := func(client net.Conn, address string) {
		defer func() { _ = client.Close() }()
		server, err := net.Dial("tcp", address)
		if err != nil {
			return
		}
		go func() {
			_, _ = io.Copy(server, client)
			_ = server.Close()
		}()
		for text := make([]byte, 64<<10); ; {
			n, err := server.Read(text)
			if err != nil {
				return
			}
			_, _ = client.Write(bytes.ReplaceAll(text[:n], []byte(actual), []byte(version)))
		}
	}
	go func(address string) {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go forward(client, address)
		}
	}(u.Host)
	u.Host = listener.Addr().String()
	return u.String()
}
