// Fills a new account of a running service with a month of data: 25 agents, 60 exports, 200 end users, about 4,000 calls. node
// frontend/scripts/working-day.mjs [SEED] takes the service's address from PANEL_URL (default http:// and LISTEN_ADDR or
// 127.0.0.1:8080), and the other settings from the environment. An operator's command opens the account. The calls are made now
// and then moved to the last 30 days in the database. It needs Go.
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const seed = Number(process.argv[2] ?? randomInt(2 ** 31))
const { LISTEN_ADDR: address = '127.0.0.1:8080', PANEL_URL: panel = `http://${address}` } = process.env
const fromHere = (path) => fileURLToPath(new URL(path, import.meta.url))
const say = (text) => process.stdout.write(`${text}\n`)

process.chdir(fromHere('../..'))
await fetch(`${panel}/openapi.yaml`).catch(() => {
  process.stderr.write(`No service answers at ${panel}. Start it with make run, or set PANEL_URL.\n`)
  process.exit(1)
})
const binary = process.env.AGENTCHAT_TEST_BINARY ?? fromHere('../../bin/agentchat')
process.env.E2E_ADDRESSES = JSON.stringify({ panel, chat: `${panel}/v1/agent/chat`, binary, commandEnv: {} })
const load = async (path) => (await runnerImport(fromHere(path), { configFile: false, logLevel: 'error' })).module
const { newAccount } = await load('../e2e/support/accounts.ts')
const { Owner } = await load('../e2e/support/owner.ts')
const { workingDay } = await load('../e2e/support/workingDay.ts')

say(`Seed ${seed}`)
const started = Date.now()
const owner = await Owner.signIn(newAccount({ name: 'Demo data', credits: 40_000 }))
const { viewer } = await owner.gql('query { viewer { id } }')

async function moveBack(steps) {
  steps[0].since = started
  const input = JSON.stringify({ account: viewer.id, steps })
  const { status, error } = spawnSync('go', ['run', './internal/demodata'], {
    input,
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  if (error || status) throw new Error(`go run ./internal/demodata: ${error ?? `exited with ${status}`}`)
}

const { statuses } = await workingDay(owner, { seed, moveBack, say })
say(`Responses by status: ${JSON.stringify(statuses)}; ${Math.round((Date.now() - started) / 1000)} s`)
say(`Sign in at ${panel} as ${owner.account.email} with “${owner.account.password}”`)
