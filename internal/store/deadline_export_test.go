package store

// Patiently is patiently, for tests that fill tables.
var Patiently = patiently
