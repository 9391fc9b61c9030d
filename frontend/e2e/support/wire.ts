import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A connection to a service that can be cut, as a network does it. */
export type Wire = { url: string; cut: () => void; close: () => Promise<void> }

/**
 * Passes every byte on between a port, any unless one is given, and the service at `target`; the host's name, and so its cookies,
 * are the same.
 */
export async function wireTo(target: string, at = 0): Promise<Wire> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(at, hostname, resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        cut()
      }),
  }
}
