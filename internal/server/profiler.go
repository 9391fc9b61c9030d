package server

import (
	"net/http"
	"net/http/pprof" // its own routes are on http.DefaultServeMux, which no listener serves
)

// NewProfiler returns Go's profiler, under /debug/pprof/. It leaves out /debug/pprof/cmdline,
// because flags can hold secrets.
func NewProfiler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	return mux
}
