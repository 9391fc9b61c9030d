import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newAccount } from './support/accounts'
import { inherited } from './support/service'
import { addresses, expect, full, signIn, test } from './support/test'

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Two ports that nobody listens on. Both are held until both are known, so that they differ. */
async function freePorts() {
  const servers = [createServer(), createServer()]
  const ports = []
  for (const server of servers) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    ports.push((server.address() as { port: number }).port)
  }
  for (const server of servers) server.close()
  return ports as [number, number]
}

/** Whether some process of the group that a child leads is still there. */
function isAlive({ pid }: ChildProcess): boolean {
  try {
    return process.kill(-(pid ?? 0), 0)
  } catch {
    return false
  }
}

// What `make dev` runs once everything is built.
test(
  'make dev: sign in, stay signed in over a reload, see a change at once, and leave nothing behind',
  full(),
  async ({ page }) => {
    test.setTimeout(180_000)
    const [servicePort, panelPort] = await freePorts()
    const data = mkdtempSync(join(tmpdir(), 'agentchat-dev-'))
    chmodSync(data, 0o711) // started by root, PostgreSQL runs as a user that has to find its way through
    const commandEnv = { AGENTCHAT_DATA_DIR: join(data, 'agentchat') }
    const dev = spawn(file('../scripts/dev.sh'), {
      env: {
        ...inherited(),
        ...commandEnv,
        LISTEN_ADDR: `127.0.0.1:${servicePort}`,
        OPS_ADDR: '127.0.0.1:0',
        PANEL_PORT: String(panelPort),
      },
      detached: true, // a process group of its own, which tells afterwards whether anything of it is left
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const log: string[] = []
    for (const stream of [dev.stdout, dev.stderr]) stream.on('data', (chunk: Buffer) => log.push(chunk.toString()))
    try {
      const panel = `http://localhost:${panelPort}`
      await expect
        .poll(() => fetch(`${panel}/graphql`).then((r) => r.status, String), {
          timeout: 120_000,
          message: log.join(''),
        })
        .toBe(405) // the service's own answer to GET, through the development server
      const account = newAccount({ name: 'Developer' }, { binary: addresses().binary, commandEnv })

      const connected = page.waitForEvent('console', (message) => message.text().includes('[vite] connected'))
      await page.goto(`${panel}/agents`, { timeout: 60_000 })
      await connected
      await signIn(page, account)
      await expect(page.getByRole('heading', { name: 'Agents', level: 1 })).toBeVisible({ timeout: 60_000 })
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Agents', level: 1 })).toBeVisible({ timeout: 60_000 })

      await page.goto(`${panel}/explorer`)
      await expect(page.getByRole('heading', { name: 'GraphQL explorer', level: 1 })).toBeVisible({ timeout: 60_000 })

      // A source that is saved again, its content untouched.
      const source = file('../src/shared/ui/global.css')
      const { atime, mtime } = statSync(source)
      const updated = page.waitForEvent('console', (message) => /hot updated: .*global\.css/.test(message.text()))
      utimesSync(source, new Date(), new Date())
      await updated
      utimesSync(source, atime, mtime)
    } finally {
      dev.kill('SIGTERM')
      if (dev.exitCode === null && dev.signalCode === null) await once(dev, 'exit')
    }
    await expect.poll(() => isAlive(dev), { timeout: 30_000, message: 'a process of make dev is left' }).toBe(false)
    expect(existsSync(join(commandEnv.AGENTCHAT_DATA_DIR, 'postgres', 'postmaster.pid'))).toBe(false)
    rmSync(data, { recursive: true, force: true })
  },
)
