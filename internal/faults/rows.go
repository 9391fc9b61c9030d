package faults

// row is one row of the bench: its id, and what has to hold.
type row struct{ id, promise string }

var rows = []row{
	{"M1", "Two replicas sell no more replies than there are credits, and refuse the rest"},
	{"M2", "In every snapshot, balance = sum of the history, and held = sum of the pending turns"},
	{"M3", "One Idempotency-Key is one charge and one body, whatever happens between its requests"},
	{"M4", "After every error there are as many credits available as before"},
	{"M5", "A charge and its stored reply exist together or not at all"},
	{"M6", "Each hold is resolved once, by the database's clock"},
	{"M7", "Whatever usage a model reports, the price is taken and nothing else"},
	{"S1", "Messages sent at once to one session each see all before them, without gap or double"},
	{"S2", "What goes to the model is bounded, cut at whole turns, and as quick as in a short session"},
	{"K1", "No request that starts after the answer to a removal is accepted, on any replica"},
	{"K2", "No key is in a log or in the database"},
	{"F1", "PostgreSQL killed with -9 under load loses and doubles no acknowledged charge, and is used again within 5 s"},
	{"F2", "Whatever a model's server does is one code, no reply, no charge, and bounded memory"},
	{"F3", "Clients that leave a stream leave as many stored replies as charges"},
	{"F4", "The credits of a turn whose process was killed with -9 come back, and its retry runs once"},
	{"F5", "A full disk makes no charge without a reply"},
	{"F6", "No connection to the database is held while a model thinks"},
	{"F7", "Rolling restarts behind a balancer fail no request"},
	{"F8", "A replica's wrong clock changes neither prices nor expiry nor order"},
	{"F9", "A panic costs one request and takes nothing"},
	{"F10", "Replicas started at once on an empty database run each migration once; a killed one is mended by the next start"},
	{"F11", "Memory and goroutines stay flat over an hour of all this"},
}
