package main

import (
	"io"
	"log/slog"
	"os"

	"golang.org/x/term"
)

// logger writes to standard error, which is where logs belong as long as standard output carries results.
func (c logConfig) logger(stream io.Writer) *slog.Logger {
	format := c.format
	if format == "" {
		format = "json"
		if isTerminal(stream) {
			format = "text"
		}
	}
	options := &slog.HandlerOptions{Level: c.level}
	if format == "text" {
		return slog.New(slog.NewTextHandler(stream, options))
	}
	return slog.New(slog.NewJSONHandler(stream, options))
}

// forCommand leaves out what only a service's log needs: a command tells its outcome itself.
func (c logConfig) forCommand() logConfig {
	if c.level == slog.LevelInfo {
		c.level = slog.LevelWarn
	}
	return c
}

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
