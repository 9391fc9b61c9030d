package main

import (
	"io"
	"log/slog"
	"os"

	"golang.org/x/term"
)

// logger writes to standard error; standard output is for results.
func (s *databaseSettings) logger(stream io.Writer) *slog.Logger {
	format := s.LogFormat
	if format == "" {
		format = "json"
		if isTerminal(stream) {
			format = "text"
		}
	}
	var level slog.Level
	_ = level.UnmarshalText([]byte(s.LogLevel)) // one of the choices, all of which are levels
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
