package turns_test

import (
	"encoding/hex"
	"net/url"
	"strings"
	"testing"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// spoilt are settings that another program's database or role may have, and that would change what
// the service stores or answers.
var spoilt = map[string]string{
	"client_encoding": "LATIN1", "DateStyle": "German, DMY", "IntervalStyle": "sql_standard", "TimeZone": "Asia/Tokyo",
	"standard_conforming_strings": "off", "bytea_output": "escape", "array_nulls": "off", "extra_float_digits": "-15",
	"default_transaction_isolation": "serializable", "search_path": "nowhere", "default_transaction_read_only": "on",
	"idle_session_timeout": "1h", "jit": "on",
}

// TestDatabaseSettingsChangeNothing: on a database with other settings, and a URL with others
// still, each connection has the service's own, migrations included, and texts are stored as they
// are.
func TestDatabaseSettingsChangeNothing(t *testing.T) {
	t.Parallel()
	address, err := url.Parse(storetest.EmptyURL(t))
	if err != nil {
		t.Fatal(err)
	}
	spoil(t, address.String())
	address.RawQuery += "&timezone=Asia/Tokyo&client_encoding=LATIN1&STATEMENT_TIMEOUT=1"
	s := storetest.Open(t, address.String())
	for part, pool := range s.Pools() {
		for name, bad := range spoilt {
			var got string
			if err := pool.QueryRowContext(t.Context(), `SELECT current_setting($1)`, name).Scan(&got); err != nil || got == bad {
				t.Errorf("%s of %s is %s: %v", name, part, got, err)
			}
		}
	}
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	const text = `zażółć gęślą 日本 😀 it's \ a "text"`
	f := storetest.Seed(t, s, storetest.Options{})
	in := storetest.NewBegin(f.Key)
	in.Message = text
	if _, err := turns.On(s).BeginTurn(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	if _, err := turns.On(s).SettleTurn(t.Context(), turns.Settlement{TurnID: in.TurnID, State: conversation.Answered, Reply: text}); err != nil {
		t.Fatal(err)
	}
	var message, reply string
	if err := s.SQL().QueryRowContext(t.Context(), `SELECT encode(convert_to(message, 'UTF8'), 'hex'), encode(convert_to(reply, 'UTF8'), 'hex')
		FROM turns`).Scan(&message, &reply); err != nil {
		t.Fatal(err)
	}
	if want := hex.EncodeToString([]byte(text)); message != want || reply != want {
		t.Errorf("stored as %s and %s, want %s", message, reply, want)
	}
	storetest.Audit(t, s)
}

// spoil gives a database the settings.
func spoil(t *testing.T, databaseURL string) {
	t.Helper()
	s := storetest.Open(t, databaseURL)
	name := storetest.DatabaseName(databaseURL)
	for setting, value := range spoilt {
		if _, err := s.SQL().ExecContext(t.Context(), `ALTER DATABASE `+name+` SET `+setting+` = '`+value+`'`); err != nil {
			t.Fatalf("%s: %v", setting, err)
		}
	}
}

// TestPoolersSettings: what cannot be sent through a pooler is asked of the role, in SQL that can
// be run; what can be is not.
func TestPoolersSettings(t *testing.T) {
	t.Parallel()
	address := storetest.URL(t)
	spoil(t, address)
	pooled := store.Config{URL: address, TransactionPooler: true}
	s, err := store.Open(t.Context(), pooled)
	if err == nil {
		_ = s.Close()
		t.Fatal("the settings of the database are taken for the service's")
	}
	_, commands, _ := strings.Cut(err.Error(), "console: ")
	for name := range spoilt {
		sent := name == "client_encoding" || name == "DateStyle" || name == "TimeZone" || name == "standard_conforming_strings"
		if strings.Contains(commands, "SET "+name+" = ") == sent {
			t.Errorf("%s: %q", name, commands)
		}
	}
	if _, err := storetest.Open(t, address).SQL().ExecContext(t.Context(), commands); err != nil {
		t.Fatalf("%s: %v", commands, err)
	}
	s, err = store.Open(t.Context(), pooled)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	storetest.Seed(t, s, storetest.Options{})
}

// TestOwnSearchPath: the URL may name another schema for the tables.
func TestOwnSearchPath(t *testing.T) {
	t.Parallel()
	address := storetest.EmptyURL(t)
	if _, err := storetest.Open(t, address).SQL().ExecContext(t.Context(), `CREATE SCHEMA elsewhere`); err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, address+"&search_path=elsewhere")
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	storetest.Seed(t, s, storetest.Options{})
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM pg_tables WHERE schemaname = 'public'`); n != 0 {
		t.Errorf("%d tables are in the schema public", n)
	}
}
