// Package embeddedpg runs a private PostgreSQL as a child process, in the service's data directory.
// The service uses it if DATABASE_URL is not set, and the tests run on it.
//
// # The data directory
//
//	lock                 flock(2) of the owner; names it
//	lock.commands        flock(2) shared by the commands that use another process's server
//	postgres/            the cluster, with its roles' passwords in agentchat.password and postgres.password (mode 0600)
//	postgres.log         PostgreSQL's own log, kept under a few megabytes
//	postgres.init-*/     a cluster that is being made; the next start removes one that was interrupted
//	postgresql-18.4/     a copy of PostgreSQL's programs, only where its user cannot reach them otherwise
//
// # A start
//
//	  Start (a service)                            Attach (a command)
//	    |                                            |
//	    v           a service holds it               v        held
//	take the lock ------------------> refused    take the lock --------> use the holder's server
//	    |     ^                                      |
//	    |     | a command holds it: wait             |
//	    +-----+--------------------------------------+
//	    v
//	inspect postgres/ -- files, but no cluster; no program of its major version ---> refused, nothing changed
//	    |
//	    |-- absent or empty: initdb in postgres.init-*, then rename to postgres
//	    v
//	postmaster.pid? -- of a living server of this cluster: wait for the commands that use it, stop it
//	    |           -- left by a crash: remove it
//	    v
//	run postgres on a free port
//	    |
//	    +-- port taken, or a killed server's processes still there: again, for up to 20 seconds
//	    v
//	ready: role and database are created where missing
//
// The lock decides ownership: it ends with its holder, however that ends, and PostgreSQL does not
// inherit it. So a killed service leaves a running PostgreSQL and a free lock, and the next start
// replaces that server with its own. A process is only signaled if its command line shows that it
// is the server of this cluster.
//
// pg_ctl is not safe enough: it trusts the process id in postmaster.pid, even if another program
// has that id now.
//
// # New programs
//
// An upgrade of their package replaces PostgreSQL's files one by one under the running server,
// which continues as the old program: its new backends cannot load the new libraries. So after
// FollowPrograms, a server checks the files every minute, and when such a backend fails. Once they
// have not changed for five seconds, and are complete and of the cluster's major version, it
// restarts on its port, while the service pauses. While a file is missing, they are not complete.
//
// # Who may connect
//
// PostgreSQL listens on 127.0.0.1 only, on a port that changes with every start of the service, and
// requires a password (scram-sha-256) that only the cluster's owner can read. Other users of the
// machine cannot connect. The service's role "agentchat" is not a superuser, and its password is
// not the superuser's: no statement of the service can reach beyond its databases. It may create
// databases, as the tests do.
//
// # Root
//
// PostgreSQL does not run as root. If the service was started as root, PostgreSQL runs as the owner
// of the existing cluster, or as one of fallbackAccounts. That user must be able to enter every
// directory on the path to the data directory.
//
// # Tests
//
// Tests pass QuickSettings, which force nothing to disk: a new cluster then takes well under a
// second. When root runs them, the data directory must not be below t.TempDir, which only root can
// enter, but in a directory of mode 0711.
//
// Errors are one line each and meant for the operator: they name paths and processes.
package embeddedpg
