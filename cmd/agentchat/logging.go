package main

import (
	"io"
	"log/slog"
	"os"

	"golang.org/x/term"
)

// logger returns a logger for standard error. Standard output is for results.
func (s *logSettings) logger(stream io.Writer) *slog.Logger {
	format := s.LogFormat
	if format == "" {
		format = "json"
		if isTerminal(stream) {
			format = "text"
		}
	}
	var level slog.Level
	_ = level.UnmarshalText([]byte(s.LogLevel)) // the parser accepts only valid levels
	options := &slog.HandlerOptions{Level: level}
	if format == "text" {
		return slog.New(slog.NewTextHandler(stream, options))
	}
	return slog.New(slog.NewJSONHandler(stream, options))
}

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
