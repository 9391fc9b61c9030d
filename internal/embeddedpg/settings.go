package embeddedpg

import (
	"maps"
	"slices"
	"strconv"
)

// QuickSettings returns settings for tests, whose data need not survive a crash of the machine:
// nothing is forced to disk, not even initdb's files. synchronous_commit stays on, so that other
// sessions see commits in the same order as in production.
func QuickSettings() map[string]string {
	return map[string]string{
		"fsync":              "off",
		"full_page_writes":   "off",
		"synchronous_commit": "on",
		"autovacuum":         "on",
		"max_wal_size":       "256MB",
	}
}

// baseSettings returns the settings of every private server. The log contains what an operator
// needs and no customer data: no statements and no parameters. The errors of single statements can
// quote values, so only the client gets them. Terse omits the DETAIL lines, which quote keys.
func baseSettings() map[string]string {
	return map[string]string{
		"max_connections":                   "100",
		"shared_buffers":                    "128MB",
		"fsync":                             "on",
		"synchronous_commit":                "on",
		"huge_pages":                        "off",
		"jit":                               "off",
		"password_encryption":               "scram-sha-256",
		"timezone":                          "UTC",
		"lc_messages":                       "C",
		"logging_collector":                 "off",
		"log_destination":                   "stderr",
		"log_timezone":                      "UTC",
		"log_line_prefix":                   "%m [%p] ",
		"log_min_messages":                  "log",
		"log_error_verbosity":               "terse",
		"log_statement":                     "none",
		"log_min_error_statement":           "panic",
		"log_min_duration_statement":        "-1",
		"log_min_duration_sample":           "-1",
		"log_transaction_sample_rate":       "0",
		"log_parameter_max_length":          "0",
		"log_parameter_max_length_on_error": "0",
		"log_checkpoints":                   "off",
		"log_autovacuum_min_duration":       "-1",
		"log_lock_waits":                    "off",
		"debug_print_parse":                 "off",
		"debug_print_rewritten":             "off",
		"debug_print_plan":                  "off",
	}
}

// arguments returns the server's command line. The address is fixed: loopback only, and no Unix
// socket, because a socket's path is limited to 107 bytes, and the data directory's path may be
// longer.
func arguments(extra map[string]string, pgdata string, port int) []string {
	all := baseSettings()
	maps.Copy(all, extra)
	all["listen_addresses"] = "127.0.0.1"
	all["unix_socket_directories"] = ""
	all["port"] = strconv.Itoa(port)

	args := []string{"-D", pgdata}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		args = append(args, "-c", name+"="+all[name])
	}
	return args
}
