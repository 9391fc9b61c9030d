// Package server surrounds the APIs: the public listener's routes, the control panel's files, the
// operator's listener, and the order in which all of it starts and stops. It imports no API; to it
// each is just a handler.
//
// A Service goes through these states, which /readyz reports:
//
//	starting ---> ready ---> draining ---> stopped
//
//	starting   the listeners are open, but the public one does not answer yet
//	ready      requests are served; /readyz checks that the database takes what a chat writes
//	draining   /readyz answers 503; requests are still served for the shutdown delay, so that load balancers go elsewhere;
//	           then no connection is accepted, bodies have one more second to arrive, the turns in progress end, their
//	           answers are written, and the background work flushes
package server
