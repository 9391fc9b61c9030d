package embeddedpg

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
)

// fingerprintSetting is a setting of ours that PostgreSQL carries and does not read. It tells whether an orphan runs with
// the programs and the settings that are wanted now.
const fingerprintSetting = "agentchat.fingerprint"

// QuickSettings are the settings for tests, whose data need not outlive a crash of the machine: nothing is forced to the
// disk. synchronous_commit stays on, so that the order of commits and what another session sees of them are as in service.
// A new cluster is then also made without forcing it to the disk.
func QuickSettings() map[string]string {
	return map[string]string{
		"fsync":              "off",
		"full_page_writes":   "off",
		"synchronous_commit": "on",
		"autovacuum":         "on",
		"max_wal_size":       "256MB",
	}
}

// baseSettings are the settings of every private server. The log gets what an operator needs and nothing that a customer
// wrote: no statements, no parameters, and no errors of single statements, whose texts can quote values (those go to the
// client, which is the service). Terse leaves out the DETAIL lines, which quote keys.
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

// arguments are the server's command line. The address is not open to change: loopback alone, no Unix socket (whose path
// may be at most 107 bytes long, which a data directory need not respect).
func arguments(extra map[string]string, cluster, binDir string, port int) (args []string, fingerprint string) {
	all := baseSettings()
	maps.Copy(all, extra)
	all["listen_addresses"] = "127.0.0.1"
	all["unix_socket_directories"] = ""
	delete(all, "port")

	sum := sha256.New()
	sum.Write([]byte(binDir))
	args = []string{"-D", cluster}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		pair := name + "=" + all[name]
		sum.Write([]byte("\x00" + pair))
		args = append(args, "-c", pair)
	}
	fingerprint = hex.EncodeToString(sum.Sum(nil)[:8])
	args = append(args, "-c", fingerprintSetting+"="+fingerprint, "-c", "port="+strconv.Itoa(port))
	return args, fingerprint
}
