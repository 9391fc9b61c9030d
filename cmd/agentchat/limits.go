package main

import (
	"log/slog"

	"agentchat/internal/memory"
	"agentchat/internal/server"
)

// fewConnections is the number of clients below which the log warns that too few files may be open.
const fewConnections = 1000

// processLimits are this process's limits.
type processLimits struct {
	// connections is the most clients that may be connected at once.
	connections int
	// requests is the memory that requests may use.
	requests *memory.Budget
}

// findLimits calculates and logs the limits. pool is the number of connections to the database.
func findLimits(pool int, logger *slog.Logger) processLimits {
	allowed, files := memory.Limit(), server.OpenFiles()
	found := processLimits{connections: server.ConnectionsFor(files, pool),
		requests: memory.NewBudget(allowed)}
	attrs := []any{slog.Int("connections", found.connections), slog.Int("open_files", files),
		slog.Int64("memory_bytes", allowed), slog.Int64("request_memory_bytes", found.requests.Size())}
	if found.connections < fewConnections {
		logger.Warn("only few clients can be connected at once, because only few files may be open: raise the limit "+
			"(ulimit -n, or LimitNOFILE of systemd)", attrs...)
	} else {
		logger.Info("limits", attrs...)
	}
	return found
}
