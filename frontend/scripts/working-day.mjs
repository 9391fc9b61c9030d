// Fills a new account of a running service with a working day: 25 agents, 60 exports, 200 people, some 4,000 calls.
// node frontend/scripts/working-day.mjs [SEED] takes the service's address from PANEL_URL (http://127.0.0.1:8080) and its settings, with
// which the operator's command opens the account, from the environment. With DATABASE_URL and psql the calls are moved to the last 30 days
// by SQL, in that database, which should be one to throw away; without, all were made just now.
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const seed = Number(process.argv[2] ?? randomInt(2 ** 31))
const { PANEL_URL: panel = 'http://127.0.0.1:8080', DATABASE_URL: database } = process.env
const beside = (path) => fileURLToPath(new URL(path, import.meta.url))
const say = (text) => process.stdout.write(`${text}\n`)

const binary = process.env.AGENTCHAT_TEST_BINARY ?? beside('../../bin/agentchat')
process.env.E2E_ADDRESSES = JSON.stringify({ panel, chat: `${panel}/v1/agent/chat`, binary, commandEnv: {} })
const load = async (path) => (await runnerImport(beside(path), { configFile: false, logLevel: 'error' })).module
const { newAccount } = await load('../e2e/support/accounts.ts')
const { Owner } = await load('../e2e/support/owner.ts')
const { workingDay } = await load('../e2e/support/workingDay.ts')

say(`Seed ${seed}`)
const started = Date.now()
const owner = await Owner.signIn(newAccount({ name: 'A working day', credits: 40_000 }))
const { viewer } = await owner.gql('query { viewer { id } }')

async function moveBack(steps) {
  if (!database) return say('Without DATABASE_URL all of it was made just now.')
  steps[0].since = started
  const given = ['-X', '-q', '-v', `account=${viewer.id}`, '-v', `steps=${JSON.stringify(steps)}`]
  const { status, error } = spawnSync('psql', [database, ...given, '-f', beside('working-day.sql')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (error || status) throw new Error(`psql: ${error ?? `ended with ${status}`}`)
}

const { statuses } = await workingDay(owner, { seed, moveBack, say })
say(`Answers by status: ${JSON.stringify(statuses)}; ${Math.round((Date.now() - started) / 1000)} s`)
say(`Sign in at ${panel} as ${owner.account.email} with “${owner.account.password}”`)
