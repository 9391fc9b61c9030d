import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import type { Owner } from './support/owner'
import { addresses, expect, full, test } from './support/test'
import { wireTo } from './support/wire'

type Turn = {
  message: string
  reply: string | null
  state: string
  errorCode: string | null
  finishReason: string | null
  credits: number
}
type Stored = { turns: Turn[]; balance: number; held: number }

/** What the service has stored of an agent's conversations, the latest first, and of the account's credits. */
async function stored(owner: Owner, agentId: string): Promise<Stored> {
  const query = `query($id: ID!) {
    viewer { creditBalance creditsHeld }
    agent(id: $id) { conversations(first: 10) { nodes { turns(first: 100) {
      nodes { message reply state errorCode finishReason credits } } } } }
  }`
  const { viewer, agent } = await owner.gql<{
    viewer: { creditBalance: number; creditsHeld: number }
    agent: { conversations: { nodes: { turns: { nodes: Turn[] } }[] } }
  }>(query, { id: agentId })
  const turns = agent.conversations.nodes.flatMap((conversation) => conversation.turns.nodes)
  return { turns, balance: viewer.creditBalance, held: viewer.creditsHeld }
}

/** The playground of a new agent on the model that costs 1 credit. */
async function open(page: Page, owner: Owner, given: { model?: string; name?: string } = {}, panel = '') {
  const agent = await owner.newAgent({ model: 'sandbox/assistant', ...given })
  await page.goto(`${panel}/agents/${agent.id}/playground`)
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  return agent
}

async function say(page: Page, message: string) {
  await page.getByRole('textbox', { name: 'Message' }).fill(message)
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
}

const log = (page: Page) => page.getByRole('log', { name: 'Messages' })
const replies = (page: Page) => page.locator('article > div').last()
const chip = (page: Page) => page.getByTestId('credit-chip')
const stopKeeping = (page: Page) =>
  page.getByRole('button', { name: 'Stop and keep this part – full price, 1 credit', exact: true })
const words = async (page: Page) => ((await replies(page).textContent()) ?? '').trim().split(/\s+/).length

test('words appear before the reply is complete, and the whole reply is shown as stored', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await open(page, owner)
  await say(page, '[[sandbox words=200 pace=20ms]]')
  await expect(stopKeeping(page)).toBeVisible()
  const before = await words(page)
  await expect.poll(() => words(page)).toBeGreaterThan(before + 20)
  expect((await stored(owner, agent.id)).turns).toMatchObject([{ state: 'PENDING', credits: 0 }])
  await expect(log(page).getByText(/1 credit · Draft · sandbox\/assistant/)).toBeVisible()
  await expect(chip(page)).toHaveText('99', { timeout: 2_000 })
  const { turns, balance, held } = await stored(owner, agent.id)
  expect(turns).toMatchObject([{ state: 'ANSWERED', finishReason: 'stop', credits: 1 }])
  expect({ balance, held }).toEqual({ balance: 99, held: 0 })
  expect((turns[0]?.reply ?? '').split(/\s+/)).toHaveLength(200)
  await expect(log(page)).toContainText((turns[0]?.reply ?? '').trim())
  await expect(page.getByRole('button', { name: /Stop/ })).toHaveCount(0)
})

test('Stop before the first word takes nothing, and the message can be sent again', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await open(page, owner)
  await say(page, '[[sandbox delay=1m]]')
  const pending = { state: 'PENDING' }
  await expect.poll(async () => (await stored(owner, agent.id)).turns).toMatchObject([pending])
  await page.getByRole('button', { name: 'Stop – nothing is charged', exact: true }).press('Enter')
  await expect(page.getByText('Stopped before the first word')).toBeVisible()
  await expect(page.getByText('Nothing was charged.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await expect(chip(page)).toHaveText('100', { timeout: 2_000 })
  expect(await stored(owner, agent.id)).toMatchObject({
    turns: [{ state: 'FAILED', errorCode: 'stopped', reply: null, credits: 0 }],
    balance: 100,
    held: 0,
  })
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect.poll(async () => (await stored(owner, agent.id)).turns.at(-1)).toMatchObject(pending)
  await page.getByRole('button', { name: 'Stop – nothing is charged' }).click()
  await expect(page.getByText('Stopped before the first word')).toBeVisible()
  await page.getByRole('link', { name: 'Open transcript' }).click()
  await expect(page.getByText('Stopped in the playground before the first word. Nothing was charged.')).toHaveCount(2)
})

test('Stop after the first word keeps what had come, at the full price', async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await open(page, owner)
  await say(page, '[[sandbox words=5000 pace=10ms]]')
  await expect.poll(() => words(page)).toBeGreaterThan(5)
  await stopKeeping(page).click()
  await expect(log(page).getByText('Stopped', { exact: true })).toBeVisible()
  await expect(log(page).getByText(/^1 credit · Draft · sandbox\/assistant/)).toBeVisible()
  await expect(chip(page)).toHaveText('99', { timeout: 2_000 })
  const { turns, balance, held } = await stored(owner, agent.id)
  expect(turns).toMatchObject([{ state: 'ANSWERED', finishReason: 'stopped', credits: 1 }])
  expect({ balance, held }).toEqual({ balance: 99, held: 0 })
  const reply = (turns[0]?.reply ?? '').trim()
  expect(reply.split(/\s+/).length).toBeLessThan(4_000)
  await expect(log(page)).toContainText(reply)

  // The conversation goes on from there.
  await say(page, 'And now?')
  await expect(chip(page)).toHaveText('98')
  await page.getByRole('link', { name: 'Open transcript' }).click()
  await expect(page.getByText(/The reply was stopped in the playground/)).toHaveCount(1)
  await expect(page.getByRole('article', { name: 'Turn 2' })).toBeVisible()
})

test('a model that fails in the middle takes nothing', full(), async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await open(page, owner)
  await say(page, '[[sandbox fail=error after=20]]')
  await expect(page.getByText('The model failed to answer')).toBeVisible()
  await expect(page.getByText('Nothing was charged. The part above was not saved.')).toBeVisible()
  await expect(chip(page)).toHaveText('100', { timeout: 2_000 })
  expect(await stored(owner, agent.id)).toMatchObject({
    turns: [{ state: 'FAILED', errorCode: 'model_error', reply: null, credits: 0 }],
    balance: 100,
    held: 0,
  })
})

test('going to another page stops the reply', full(), async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await open(page, owner)
  await say(page, '[[sandbox words=5000 pace=10ms]]')
  await expect(stopKeeping(page)).toBeVisible()
  await page.getByRole('link', { name: 'Build', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/agents/${agent.id}$`))
  await expect
    .poll(async () => (await stored(owner, agent.id)).turns)
    .toMatchObject([{ state: 'ANSWERED', finishReason: 'stopped', credits: 1 }])
  await expect(chip(page)).toHaveText('99', { timeout: 2_000 })
})

test(
  'a new conversation stops the reply of the old one and starts empty',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const agent = await open(page, owner)
    await say(page, '[[sandbox words=5000 pace=10ms]]')
    await expect(stopKeeping(page)).toBeVisible()
    await page.getByRole('button', { name: 'New conversation' }).click()
    await expect(page.getByText('Try the agent')).toBeVisible()
    await say(page, '[[sandbox history]] anew')
    await expect(log(page)).toContainText('"turns"')
    await expect(log(page).getByRole('article')).toHaveCount(1)
    const old = { state: 'ANSWERED', finishReason: 'stopped', credits: 1 }
    await expect.poll(async () => (await stored(owner, agent.id)).turns).toMatchObject([{ state: 'ANSWERED' }, old])
    const { turns } = await stored(owner, agent.id)
    expect(JSON.parse(turns[0]?.reply ?? '').turns).toEqual([{ role: 'user', text: '[[sandbox history]] anew' }])
    await expect(chip(page)).toHaveText('98')
  },
)

test(
  'another agent is another conversation, and the reply of the first is stopped',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const second = await owner.newAgent({ name: 'Second', model: 'sandbox/free' })
    const first = await open(page, owner, { name: 'First' })
    await say(page, '[[sandbox words=5000 pace=10ms]]')
    await expect(stopKeeping(page)).toBeVisible()
    await page.getByRole('link', { name: 'Agents', exact: true }).first().click()
    await page.getByRole('link', { name: 'Second', exact: true }).click()
    await page.getByRole('link', { name: 'Playground', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Second', level: 1 })).toBeVisible()
    await expect(page.getByText('Try the agent')).toBeVisible()
    await say(page, '[[sandbox words=2000 pace=5ms]]')
    await page.getByRole('button', { name: 'Stop and keep this part – free', exact: true }).click()
    await expect(log(page).getByText('Stopped', { exact: true })).toBeVisible()
    const kept = { state: 'ANSWERED', finishReason: 'stopped' }
    await expect.poll(async () => (await stored(owner, first.id)).turns).toMatchObject([{ ...kept, credits: 1 }])
    expect((await stored(owner, second.id)).turns).toMatchObject([{ ...kept, credits: 0 }])
    await expect(chip(page)).toHaveText('99')
  },
)

// The browser logs a connection that was cut, so these two pages are not strict.
test('a connection lost in the middle of a reply: Retry brings the part that was kept, charged once', async ({
  page,
  newOwner,
}) => {
  const owner = await newOwner()
  const wire = await wireTo(addresses().panel)
  try {
    const agent = await open(page, owner, {}, wire.url)
    await say(page, '[[sandbox words=5000 pace=10ms]]')
    await expect.poll(() => words(page)).toBeGreaterThan(5)
    wire.cut()
    await expect(page.getByText('The reply was cut off')).toBeVisible()
    await expect(page.getByText(/Retry shows the part that was kept, without charging you twice/)).toBeVisible()
    const kept = { state: 'ANSWERED', finishReason: 'stopped', credits: 1 }
    await expect.poll(async () => (await stored(owner, agent.id)).turns).toMatchObject([kept])
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(log(page).getByText('Stopped', { exact: true })).toBeVisible()
    const { turns, balance, held } = await stored(owner, agent.id)
    expect(turns).toMatchObject([kept])
    expect({ balance, held }).toEqual({ balance: 99, held: 0 })
    await expect(log(page)).toContainText((turns[0]?.reply ?? '').trim())
    await expect(chip(page)).toHaveText('99', { timeout: 2_000 })
  } finally {
    await wire.close()
  }
})

test('a connection lost before the first word: Retry is a new attempt, charged once', async ({ page, newOwner }) => {
  const owner = await newOwner()
  const wire = await wireTo(addresses().panel)
  try {
    const agent = await open(page, owner, {}, wire.url)
    await say(page, '[[sandbox delay=3s]]')
    await expect.poll(async () => (await stored(owner, agent.id)).turns).toMatchObject([{ state: 'PENDING' }])
    wire.cut()
    await expect(page.getByText('The message was not answered')).toBeVisible()
    const failed = { state: 'FAILED', errorCode: 'stopped', credits: 0 }
    await expect.poll(async () => (await stored(owner, agent.id)).turns).toMatchObject([failed])
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(log(page).getByText(/^1 credit · Draft · sandbox\/assistant/)).toBeVisible()
    const { turns, balance, held } = await stored(owner, agent.id)
    expect(turns.filter(({ state }) => state === 'ANSWERED')).toMatchObject([{ finishReason: 'stop', credits: 1 }])
    expect({ balance, held }).toEqual({ balance: 99, held: 0 })
    await expect(chip(page)).toHaveText('99', { timeout: 2_000 })
  } finally {
    await wire.close()
  }
})

const room = (page: Page) =>
  log(page).evaluate(({ scrollHeight, scrollTop, clientHeight }) => ({
    toEnd: scrollHeight - scrollTop - clientHeight,
    top: scrollTop,
    height: scrollHeight,
  }))

test(
  'the text is followed while the reader is at its end, and left alone when they have scrolled up',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    await open(page, owner, { model: 'sandbox/free' })
    const jump = page.getByRole('button', { name: 'Jump to latest' })
    await say(page, '[[sandbox words=2000 pace=5ms]]')
    await expect.poll(async () => (await room(page)).top).toBeGreaterThan(300)
    expect((await room(page)).toEnd).toBeLessThan(80)
    await expect(jump).toHaveCount(0)

    await log(page).hover()
    await page.mouse.wheel(0, -20)
    await expect(jump).toBeVisible()
    const { top, height } = await room(page)
    await expect.poll(async () => (await room(page)).height).toBeGreaterThan(height + 200)
    expect(Math.abs((await room(page)).top - top)).toBeLessThan(21)
    await expect(jump).toBeVisible()

    await jump.focus()
    await page.keyboard.press('Enter')
    await expect(jump).toHaveCount(0)
    await expect(log(page)).toBeFocused()
    const again = await room(page)
    await expect.poll(async () => (await room(page)).top).toBeGreaterThan(again.top + 100)
    expect((await room(page)).toEnd).toBeLessThan(80)

    // By keyboard, too.
    await page.keyboard.press('PageUp')
    await expect(jump).toBeVisible()
    await page.keyboard.press('End')
    await expect(jump).toHaveCount(0)
    await expect(page.getByText('0 credits · Draft · sandbox/free', { exact: false }).last()).toBeVisible({
      timeout: 30_000,
    })
    await expect.poll(async () => (await room(page)).toEnd).toBeLessThan(2)
    await expect(jump).toHaveCount(0)
  },
)

test(
  'a reply of 5,000 words keeps the page moving, its last words as well as its first',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    await open(page, owner, { model: 'sandbox/free' })
    await say(page, '[[sandbox words=5000 pace=1ms]]')
    await expect(page.getByText('Receiving the reply')).toBeVisible()
    const gaps = await page.evaluate(async () => {
      const seen: number[] = []
      let last = performance.now()
      while (document.querySelector('[role="log"] [aria-busy="true"]')) {
        const now = await new Promise<number>((resolve) => requestAnimationFrame(() => resolve(performance.now())))
        seen.push(now - last)
        last = now
      }
      return seen
    })
    await expect(log(page).getByText('0 credits · Draft · sandbox/free', { exact: false })).toBeVisible()
    const typical = (from: number, to: number) =>
      gaps.slice(from, to).sort((a, b) => a - b)[Math.floor((to - from) / 2)]
    const half = Math.floor(gaps.length / 2)
    const [first, second] = [typical(0, half), typical(half, 2 * half)]
    const description = `${gaps.length} frames; typically ${first} ms, then ${second} ms; longest ${Math.max(...gaps)} ms`
    test.info().annotations.push({ type: 'frames', description })
    expect(gaps.length, description).toBeGreaterThan(50)
    expect(second, description).toBeLessThan(100)
  },
)

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `a reply under way has no accessibility fault, ${colorScheme}`,
    full(),
    async ({ strictPage: page, newOwner }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const owner = await newOwner()
      await open(page, owner)
      const faults = async () => (await new AxeBuilder({ page }).analyze()).violations
      await say(page, '[[sandbox delay=1m]]')
      await expect(page.getByText('Waiting for the reply')).toBeVisible()
      expect(await faults()).toEqual([])
      await page.getByRole('button', { name: /^Stop/ }).click()
      await expect(page.getByText('Stopped before the first word')).toBeVisible()
      expect(await faults()).toEqual([])
      await say(page, '[[sandbox words=5000 pace=10ms]]')
      await expect(stopKeeping(page)).toBeVisible()
      expect(await faults()).toEqual([])
      await stopKeeping(page).click()
      await expect(log(page).getByText('Stopped', { exact: true })).toBeVisible()
      expect(await faults()).toEqual([])
    },
  )
}
