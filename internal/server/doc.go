// Package server is what stands around the two edges: the public listener's routes, the control panel's files, the
// operator's listener, and the order in which all of it starts and stops. It knows neither edge; both are handlers to it.
//
// A Service goes through these states, which /readyz tells:
//
//	starting ---> ready ---> draining ---> stopped
//
//	starting   the listeners are open, nothing is answered yet on the public one
//	ready      requests are served; /readyz asks the database
//	draining   /readyz answers 503; requests are served for the shutdown delay, so that balancers look elsewhere;
//	           then no connection is accepted, the turns under way end, and the background work flushes
package server
