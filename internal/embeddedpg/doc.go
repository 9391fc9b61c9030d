// Package embeddedpg runs a private PostgreSQL as a child process, in the service's data directory: what the service uses
// when DATABASE_URL is not set, and what the tests run on.
//
// # The data directory
//
//	lock                 flock(2) of the owner; says who that is
//	lock.commands        flock(2) that the commands share which use another process's cluster
//	postgres/            the cluster, with its password in agentchat.password (mode 0600)
//	postgres.log         PostgreSQL's own log, kept under a few megabytes
//	postgres.init-*/     a cluster that is being made; left over when that was interrupted, and removed by the next start
//	postgresql-18.4/     a copy of PostgreSQL's programs, only where its user cannot reach them otherwise
//
// # A start
//
//	  Start                                        Attach (a command)
//	    |                                            |
//	    v           a service holds it               v        held
//	take the lock ------------------> refused    take the lock --------> use the holder's cluster
//	    |     ^                                      |                       (Stop lets go of it)
//	    |     | a command holds it: wait             |
//	    +-----+--------------------------------------+
//	    v
//	look at postgres/ -- files, but no cluster; no program of its major version ---> refused, nothing changed
//	    |
//	    |-- absent or empty: initdb in postgres.init-*, then rename to postgres
//	    v
//	postmaster.pid? -- of a living server of this cluster --+-- answers, same programs and settings --> taken over
//	    |                                                   |
//	    | none, or left by a crash                          +-- otherwise: stopped
//	    v                                                             |
//	run postgres on a free port <-------------------------------------+
//	    |
//	    +-- port taken, or a killed server's processes still there: again, for up to 20 seconds
//	    v
//	ready: role and database are made unless they exist
//
// The lock is what ownership rests on: it ends with its holder, however that ends, and PostgreSQL does not inherit it. So a
// service that was killed leaves a running PostgreSQL and a free lock, and the next start takes it over. A process is
// only ever signalled when its command line shows it to be the server of this very cluster.
//
// # Who may connect
//
// PostgreSQL listens on 127.0.0.1 alone, on a port that changes with every start, and asks everyone for a password
// (scram-sha-256), which lies in the cluster where only its owner can read it. No other user of the machine gets in. The
// service's role "agentchat" is no superuser; it may create databases, as the tests do, each for itself.
//
// # Root
//
// PostgreSQL does not run as root. Started as root it runs as the owner of the existing cluster, or as postgres, or as
// nobody. That user must be able to pass every directory on the way to the data directory.
//
// # Tests
//
// A test passes QuickSettings, which force nothing to the disk: a new cluster then takes well under a second. Started as
// root its data directory must not be below t.TempDir, which only root can pass, but in a directory of mode 0711.
//
// Errors are of one line and for the operator's eyes: they name paths and processes.
package embeddedpg
