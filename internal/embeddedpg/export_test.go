package embeddedpg

import "time"

// WithPath replaces $PATH for one test.
func WithPath(cfg Config, path string) Config {
	cfg.path = &path
	return cfg
}

// WithPlaces replaces the usual directories of PostgreSQL's programs.
func WithPlaces(cfg Config, patterns ...string) Config {
	cfg.places = &patterns
	return cfg
}

// WithPort replaces the choice of the port.
func WithPort(cfg Config, pick func() (int, error)) Config {
	cfg.port = pick
	return cfg
}

// WithLooks replaces the interval between checks of the programs, and the time that they must stay
// unchanged.
func WithLooks(cfg Config, every, still time.Duration) Config {
	cfg.lookEvery, cfg.stillFor = every, still
	return cfg
}

// Internals that the tests use.
var (
	TrimLog      = trimLog
	LastLines    = lastLines
	ParseVersion = parseVersion
	FreePort     = freePort
	NPMBinDir    = npmBinDir
	NewestFirst  = newestFirst
	CopyTree     = copyTree
)

// PID returns the process id of the server at its start.
func (s *Server) PID() int { return s.pid }

// IsPostmaster reports whether a process is the server of a cluster.
var IsPostmaster = isPostmaster

// ParsePIDFile returns the fields of a postmaster.pid.
func ParsePIDFile(text string) (pid, port int, status string, err error) {
	pf, err := parsePIDFile(text)
	return pf.pid, pf.port, pf.status, err
}
