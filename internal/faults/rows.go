package faults

// row is one row of the bench: its id, and the promise that must hold.
type row struct{ id, promise string }

var rows = []row{
	{"M1", "Two replicas never sell more replies than there are credits, and refuse the rest"},
	{"M2", "In every snapshot, balance = sum of the credit entries, and held = sum of the pending turns"},
	{"M3", "One Idempotency-Key means one charge and one response body, whatever happens between its requests"},
	{"M4", "After every error, as many credits are available as before"},
	{"M5", "A charge and its stored reply exist together or not at all"},
	{"M6", "Each hold is resolved exactly once, by the database's clock"},
	{"M7", "Whatever usage a model reports, exactly the price is charged"},
	{"M8", "Text that left the service is paid for, once, whatever ends its stream"},
	{"V1", "Every reply fits the version it names, and none is older than the last publishing that was answered before its request"},
	{"S1", "Concurrent messages to one session each see all earlier turns, without gaps or duplicates"},
	{"S2", "The model's context is bounded and cut at whole turns, and a long session is as fast as a short one"},
	{"R4", "Each reply is given exactly the values that came with its message, byte for byte, and nothing in a value is expanded"},
	{"L1", "No more messages are under way or answered than a limit allows, and in the end exactly as many are answered"},
	{"L2", "A used-up limit ends when it says: at the next UTC midnight, or on the first of the next month"},
	{"L3", "An export or end user at its limit slows others no more than one without a limit would"},
	{"D5", "Once an end user was erased, no replica shows anything of it, and within 10 s no text, value or ID is left"},
	{"K1", "Once a removal has been answered, no replica accepts a new request with the key"},
	{"K2", "No key appears in a log or in the database"},
	{"F1", "PostgreSQL killed with SIGKILL under load loses or doubles no acknowledged charge, and is in use again within 5 s"},
	{"F2", "Every failure of a model's server gives one error code, charges nothing but text that was sent, and uses bounded memory"},
	{"F3", "Clients that disconnect from a stream leave as many stored replies as charges"},
	{"F4", "The credits of a turn whose process was killed with SIGKILL are released, and its retry runs once"},
	{"F5", "A full disk never causes a charge without a reply"},
	{"F6", "No database connection is held while a model generates"},
	{"F7", "Rolling restarts behind a load balancer fail no request"},
	{"F8", "A replica's wrong clock affects neither prices nor expiry nor order"},
	{"F9", "A panic fails one request and charges nothing"},
	{"F10", "Replicas started together on an empty database run each migration once; the next start completes what a killed one left"},
	{"F11", "Memory and goroutines stay flat over an hour of mixed load"},
	{"F12", "A shutdown loses no turn, answers the sign-ins, and ends within 5 s of the longest turn, whatever clients do"},
	{"F13", "An upgrade from the previous release, replica by replica, fails no request and loses no credit"},
}
