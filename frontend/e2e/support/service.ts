import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** What `serve --demo --json` prints. */
export type Addresses = {
  panel: string
  chat: string
  ops: string
  demo: { email: string; password: string; api_key: string }
}

/** What the tests know of the service: its addresses, and how the operator's commands reach it. */
export type Target = Addresses & { binary: string; commandEnv: Record<string, string> }

export type Service = Target & {
  /** Ends it for good, its data with it. */
  stop: () => Promise<void>
}

const startMs = 120_000

/**
 * Starts the real binary with its demo, on ports of its own: on DATABASE_URL when that is set, otherwise on a PostgreSQL of its own.
 * AGENTCHAT_TEST_BINARY names another binary than bin/agentchat. Settings go over the environment.
 */
export async function startService(settings: NodeJS.ProcessEnv = {}): Promise<Service> {
  const binary = process.env.AGENTCHAT_TEST_BINARY ?? fileURLToPath(new URL('../../../bin/agentchat', import.meta.url))
  if (!existsSync(binary)) throw new Error(`There is no ${binary}: run make build`)
  const data = mkdtempSync(join(tmpdir(), 'agentchat-e2e-'))
  chmodSync(data, 0o711) // started by root, PostgreSQL runs as another user, who must be able to enter it
  const commandEnv = { AGENTCHAT_DATA_DIR: join(data, 'agentchat'), ...settings }
  const { child, addresses } = await start(binary, commandEnv)
  return {
    ...addresses,
    binary,
    commandEnv,
    stop: async () => {
      await end(child)
      rmSync(data, { recursive: true, force: true })
    },
  }
}

async function start(binary: string, commandEnv: NodeJS.ProcessEnv) {
  const child = spawn(binary, ['serve', '--demo', '--json'], {
    env: { ...inherited(), ...commandEnv, LISTEN_ADDR: '127.0.0.1:0', OPS_ADDR: '127.0.0.1:0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log: string[] = []
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()))
  try {
    return { child, addresses: await firstLine(child, log) }
  } catch (error) {
    await end(child)
    throw error
  }
}

function firstLine(child: ChildProcess, log: string[]): Promise<Addresses> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`The service ${why}:\n${log.join('').slice(-4000)}`))
    const timer = setTimeout(() => fail('did not start in time'), startMs)
    child.once('exit', (code) => fail(`ended with ${code}`))
    if (!child.stdout) return fail('has no output')
    createInterface(child.stdout).once('line', (line) => {
      clearTimeout(timer)
      resolve(JSON.parse(line) as Addresses)
    })
  })
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

/** The environment without this suite's own settings: the service refuses names that it does not know. */
export function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AGENTCHAT_TEST_')))
}
