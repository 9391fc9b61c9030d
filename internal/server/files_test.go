package server_test

import (
	"testing"

	"agentchat/internal/server"
)

func TestConnectionsFor(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ files, pool, want int }{
		{4, 4, 4},
		{64, 4, 16},
		{136, 4, 34},
		{1024, 4, 478},
		{20_067, 4, 9_999},
		{20_068, 4, 10_000},
		{20_068, 6, 9_999},
		{1 << 30, 1000, 10_000},
	} {
		if got := server.ConnectionsFor(tc.files, tc.pool); got != tc.want {
			t.Errorf("%d files and a pool of %d: %d connections, want %d", tc.files, tc.pool, got, tc.want)
		}
	}
	if server.OpenFiles() < 16 {
		t.Errorf("%d files may be open", server.OpenFiles())
	}
}
