package main

import (
	"log/slog"

	"agentchat/internal/memory"
	"agentchat/internal/server"
)

// fewConnections is where the log warns that the limit on open files leaves too few connections for ordinary use.
const fewConnections = 1000

// processLimits say how much of the machine this process may use.
type processLimits struct {
	// connections is how many clients may be connected at once.
	connections int
	// requests is the memory that requests may hold.
	requests *memory.Budget
}

// findLimits finds the limits beside a pool of connections to the database, and logs them.
func findLimits(pool int, logger *slog.Logger) processLimits {
	allowed, files := memory.Limit(), server.OpenFiles()
	found := processLimits{connections: server.ConnectionsFor(files, pool), requests: memory.NewBudget(allowed)}
	attrs := []any{slog.Int("connections", found.connections), slog.Int("open_files", files),
		slog.Int64("memory_bytes", allowed), slog.Int64("request_memory_bytes", found.requests.Size())}
	if found.connections < fewConnections {
		logger.Warn("few clients can be connected at once, because few files may be open: allow more "+
			"(ulimit -n, or LimitNOFILE of systemd)", attrs...)
	} else {
		logger.Info("limits", attrs...)
	}
	return found
}
