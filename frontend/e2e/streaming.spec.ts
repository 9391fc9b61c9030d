import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test as base, type Page } from '@playwright/test'
import { newAccount } from './support/accounts'
import { example } from './support/example'
import { Owner } from './support/owner'
import { expect, long } from './support/test'

/** The relay of examples/browser: its address, and functions that kill and start it. */
type Relay = { origin: string; kill: () => Promise<void>; start: () => Promise<void> }
type Stored = {
  viewer: { creditBalance: number; conversations: { nodes: { userId: string; turns: { nodes: Turn[] } }[] } }
}
type Turn = { state: string; message: string; reply: string | null }

const test = base.extend<{ owner: Owner; relay: Relay }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of this pattern
  owner: async ({}, use) => use(await Owner.signIn(newAccount())),
  relay: async ({ owner, page }, use) => {
    const agent = await owner.newAgent({ model: 'sandbox/assistant' })
    const { apiKey } = await owner.newExport(agent.id)
    const folder = mkdtempSync(join(tmpdir(), 'agentchat-relay-'))
    for (const file of ['relay.mjs', 'page.html']) writeFileSync(join(folder, file), example(`browser/${file}`))
    let child: ChildProcess | undefined
    const relay: Relay = {
      origin: '',
      start: async () => {
        const env = {
          ...process.env,
          AGENTCHAT_API_KEY: apiKey,
          PORT: new URL(relay.origin || 'http://x:0').port || '0',
        }
        child = spawn('node', ['relay.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
        if (!child.stdout) throw new Error('no output')
        const [line] = await once(createInterface(child.stdout), 'line')
        relay.origin = line as string
      },
      kill: async () => {
        const ended = child && once(child, 'exit')
        child?.kill('SIGKILL')
        await ended
      },
    }
    await relay.start()
    await page.goto(relay.origin)
    await use(relay)
    await relay.kill()
    rmSync(folder, { recursive: true })
  },
})

const send = async (page: Page, message: string) => {
  await page.getByLabel('Message').fill(message)
  await page.getByRole('button', { name: 'Send' }).click()
}
const reply = (page: Page) => page.locator('p').last()
const stop = (page: Page) => page.getByRole('button', { name: 'Stop' })
const whole = (page: Page) => expect(stop(page)).toBeDisabled()

/** What the account has left, and the turns of its one conversation. */
async function stored(owner: Owner) {
  const { viewer } = await owner.gql<Stored>(
    '{ viewer { creditBalance conversations { nodes { userId turns { nodes { state message reply } } } } } }',
  )
  expect(viewer.conversations.nodes.length).toBeLessThan(2)
  return { credits: viewer.creditBalance, turns: viewer.conversations.nodes[0]?.turns.nodes ?? [] }
}

/** Waits until the service has finished so many turns, and expects each to be answered and to have cost one credit. */
async function expectPaid(owner: Owner, before: number, turns: number) {
  await expect
    .poll(async () => (await stored(owner)).turns.map(({ state }) => state))
    .toEqual(Array(turns).fill('ANSWERED'))
  const after = await stored(owner)
  expect(before - after.credits).toBe(turns)
  return after.turns
}

const slow = '[[sandbox words=150 pace=20ms]]'

test('the example page shows a reply as it is written, and stops @long', async ({ page, relay, owner }) => {
  await expect(page).toHaveURL(`${relay.origin}/`)
  const { credits } = await stored(owner)
  await send(page, slow)
  await expect(reply(page)).not.toBeEmpty()
  await expect(stop(page), 'there is text before the reply is whole').toBeEnabled()
  await whole(page)
  const [turn] = await expectPaid(owner, credits, 1)
  await expect(reply(page)).toHaveText(turn?.reply ?? '')

  await send(page, `${slow} Again.`)
  await expect(page.getByRole('status')).toBeEmpty()
  await expect(reply(page)).not.toHaveText(turn?.reply ?? '')
  await stop(page).click()
  await expect(page.getByRole('status')).toHaveText('Stopped.')
  const [, stopped] = await expectPaid(owner, credits, 2)
  expect((await reply(page).textContent())?.length).toBeLessThan(stopped?.reply?.length ?? 0)

  await send(page, 'And now?')
  await whole(page)
  await expectPaid(owner, credits, 3)
})

test('the example page is cut off, and gets the reply without paying twice', long, async ({ page, relay, owner }) => {
  const { credits } = await stored(owner)
  await send(page, slow)
  await expect(reply(page)).not.toBeEmpty()
  await relay.kill()
  await expect(page.getByRole('status')).toHaveText('Waiting…')
  await relay.start()
  await whole(page)
  const [turn] = await expectPaid(owner, credits, 1)
  await expect(reply(page)).toHaveText(turn?.reply ?? '')
})

test(
  'the example page is loaded again, and gets the reply without paying twice',
  long,
  async ({ page, relay, owner }) => {
    const { credits } = await stored(owner)
    await send(page, slow)
    await expect(reply(page)).not.toBeEmpty()
    await page.goto(relay.origin)
    await expect(stop(page)).toBeEnabled()
    await whole(page)
    const [turn] = await expectPaid(owner, credits, 1)
    await expect(reply(page)).toHaveText(turn?.reply ?? '')
  },
)
