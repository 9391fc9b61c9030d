import type { Page } from '@playwright/test'
import type { Owner } from './support/owner'
import { addresses, expect, test } from './support/test'
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

/** Returns the stored turns of an agent, those of the latest conversation first, and the account's credits. */
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

/** Opens Try, in the whole window, for a new agent. Its model costs 1 credit by default. */
async function open(page: Page, owner: Owner, given: { model?: string; name?: string } = {}, panel = '') {
  const agent = await owner.newAgent({ model: 'sandbox/assistant', ...given })
  await page.goto(`${panel}/agents/${agent.id}?try=window`)
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  return agent
}

async function say(page: Page, message: string) {
  await page.getByRole('textbox', { name: 'Message' }).fill(message)
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
}

/** Chooses from the chat's menu. */
async function fromChatMenu(page: Page, name: string) {
  await page.getByRole('button', { name: 'Chat options' }).click()
  await page.getByRole('menuitem', { name }).click()
}

const log = (page: Page) => page.getByRole('log', { name: 'Messages' })
const replies = (page: Page) => page.locator('article > div').last()
const chip = (page: Page) => page.getByTestId('credit-chip')
const stopKeeping = (page: Page) =>
  page.getByRole('button', { name: 'Stop and keep this part (1 credit)', exact: true })
const words = async (page: Page) => ((await replies(page).textContent()) ?? '').trim().split(/\s+/).length

test('words appear before the reply is complete, and the whole reply is shown as stored @long', async ({
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
  await expect(log(page).getByText(/ · 1 credit$/)).toBeVisible()
  await expect(chip(page)).toHaveText('99', { timeout: 2_000 })
  const { turns, balance, held } = await stored(owner, agent.id)
  expect(turns).toMatchObject([{ state: 'ANSWERED', finishReason: 'stop', credits: 1 }])
  expect({ balance, held }).toEqual({ balance: 99, held: 0 })
  expect((turns[0]?.reply ?? '').split(/\s+/)).toHaveLength(200)
  await expect(log(page)).toContainText((turns[0]?.reply ?? '').trim())
  await expect(page.getByRole('button', { name: /^Stop and/ })).toHaveCount(0)
})

test('Stop before the first word charges nothing, and the message can be sent again @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await open(page, owner)
  await say(page, '[[sandbox delay=1m]]')
  const pending = { state: 'PENDING' }
  await expect.poll(async () => (await stored(owner, agent.id)).turns).toMatchObject([pending])
  await page.getByRole('button', { name: 'Stop (free)', exact: true }).press('Enter')
  await expect(page.getByText('Stopped before the first word')).toBeVisible()
  await expect(page.getByText('Not charged.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await expect(chip(page)).toHaveText('100', { timeout: 2_000 })
  expect(await stored(owner, agent.id)).toMatchObject({
    turns: [{ state: 'FAILED', errorCode: 'stopped', reply: null, credits: 0 }],
    balance: 100,
    held: 0,
  })
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect.poll(async () => (await stored(owner, agent.id)).turns.at(-1)).toMatchObject(pending)
  await page.getByRole('button', { name: 'Stop (free)' }).click()
  await expect(page.getByText('Stopped before the first word')).toBeVisible()
  await fromChatMenu(page, 'Open transcript')
  await expect(page.getByText('Stopped in Try before the first word. Not charged.')).toHaveCount(2)
})

test('Stop after the first word keeps the text so far, at the full price @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await open(page, owner)
  await say(page, '[[sandbox words=5000 pace=10ms]]')
  await expect.poll(() => words(page)).toBeGreaterThan(5)
  await stopKeeping(page).click()
  await expect(log(page).getByText('Stopped', { exact: true })).toBeVisible()
  await expect(log(page).getByText(/ · 1 credit$/)).toBeVisible()
  await expect(chip(page)).toHaveText('99', { timeout: 2_000 })
  const { turns, balance, held } = await stored(owner, agent.id)
  expect(turns).toMatchObject([{ state: 'ANSWERED', finishReason: 'stopped', credits: 1 }])
  expect({ balance, held }).toEqual({ balance: 99, held: 0 })
  const reply = (turns[0]?.reply ?? '').trim()
  expect(reply.split(/\s+/).length).toBeLessThan(4_000)
  await expect(log(page)).toContainText(reply)

  // The next message continues the conversation.
  await say(page, 'And now?')
  await expect(chip(page)).toHaveText('98')
  await fromChatMenu(page, 'Open transcript')
  await expect(page.getByText(/Stopped in Try\./)).toHaveCount(1)
  await expect(page.getByRole('article', { name: 'Turn 2' })).toBeVisible()
})

test('Try fills the window and closes again, as the URL says, and text in Build stays @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk' })
  await page.goto(`/agents/${agent.id}/playground?version=1`)
  await expect(page).toHaveURL(new RegExp(`/agents/${agent.id}\\?version=1&try=window$`))
  const instructions = page.getByRole('textbox', { name: 'Instructions' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Try Order desk')
  await expect(instructions).toBeHidden()
  await page.getByRole('textbox', { name: 'Message' }).fill('Not for now')
  await page.getByRole('textbox', { name: 'Message' }).press('Escape')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Order desk')
  await expect(page).toHaveURL(new RegExp(`/agents/${agent.id}\\?version=1$`))
  await instructions.fill('Be of help.')
  // Not in the middle, where the examples are.
  await log(page).click({ position: { x: 4, y: 4 } })
  await page.keyboard.press('f')
  await expect(instructions).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(instructions).toHaveValue('Be of help.')
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Not for now')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('radio', { name: 'Try' }).check({ force: true })
  await page.getByRole('region', { name: 'Try' }).getByRole('button', { name: 'Full screen' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Try Order desk')
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Order desk')
})

test('going to another page stops the reply @long', async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await open(page, owner)
  await say(page, '[[sandbox words=5000 pace=10ms]]')
  await expect(stopKeeping(page)).toBeVisible()
  await page.getByRole('link', { name: 'Build', exact: true }).click()
  const before = await words(page)
  await expect.poll(() => words(page)).toBeGreaterThan(before) // Build is narrow while Try is open next to it
  await page.getByRole('link', { name: 'Versions', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/agents/${agent.id}/versions$`))
  await expect
    .poll(async () => (await stored(owner, agent.id)).turns)
    .toMatchObject([{ state: 'ANSWERED', finishReason: 'stopped', credits: 1 }])
  await expect(chip(page)).toHaveText('99', { timeout: 2_000 })
})

// The browser logs a lost connection, so these two pages are not strict.
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
    await expect(page.getByText(/Retry shows the part that was kept\. You won’t be charged twice/)).toBeVisible()
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

test('a connection lost before the first word: Retry is a new attempt, charged once @long', async ({
  page,
  newOwner,
}) => {
  const owner = await newOwner()
  const wire = await wireTo(addresses().panel)
  try {
    const agent = await open(page, owner, {}, wire.url)
    await say(page, '[[sandbox delay=3s]]')
    await expect.poll(async () => (await stored(owner, agent.id)).turns).toMatchObject([{ state: 'PENDING' }])
    wire.cut()
    await expect(page.getByText('No reply')).toBeVisible()
    const failed = { state: 'FAILED', errorCode: 'stopped', credits: 0 }
    await expect.poll(async () => (await stored(owner, agent.id)).turns).toMatchObject([failed])
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(log(page).getByText(/ · 1 credit$/)).toBeVisible()
    const { turns, balance, held } = await stored(owner, agent.id)
    expect(turns.filter(({ state }) => state === 'ANSWERED')).toMatchObject([{ finishReason: 'stop', credits: 1 }])
    expect({ balance, held }).toEqual({ balance: 99, held: 0 })
    await expect(chip(page)).toHaveText('99', { timeout: 2_000 })
  } finally {
    await wire.close()
  }
})

test('an earlier test conversation is continued, and its last message is sent again @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  await owner.sendTestMessage(agent.id, 'Where is my parcel?', 'first-test')
  await page.goto(`/agents/${agent.id}`)
  await say(page, 'What does it cost?')
  await expect(log(page)).toContainText('You wrote: “What does it cost?”')
  await fromChatMenu(page, 'Where is my parcel?')
  await expect(log(page)).toContainText('You wrote: “Where is my parcel?”')
  await expect(log(page)).not.toContainText('What does it cost?')
  await page.getByRole('button', { name: 'Regenerate' }).click()
  await expect(log(page).getByText('You wrote: “Where is my parcel?”')).toHaveCount(2)
  await page.reload()
  await expect(log(page).getByText('You wrote: “Where is my parcel?”')).toHaveCount(2)
})

test('two versions are compared: both get the message, and each is charged and stored separately @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ model: 'sandbox/assistant', instructions: 'Be kind.' })
  await owner.change(agent.id, { instructions: 'Be brief.' })
  await page.goto(`/agents/${agent.id}`)
  await page.getByRole('button', { name: 'Compare' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Compare')
  await expect(page.getByText('Sending to both costs 2 credits: 1 + 1.')).toBeVisible()
  const left = page.getByRole('region', { name: 'Left', exact: true })
  const right = page.getByRole('region', { name: 'Right', exact: true })
  await page.getByRole('textbox', { name: 'Message' }).fill('From 5~10 to 20~30')
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
  for (const side of [left, right])
    await expect(side.getByRole('group', { name: 'Agent:' })).toContainText('5~10 to 20~30')
  await expect(page.locator('article del')).toHaveCount(0)
  await expect(left.getByText(/1 credit · Version 1 · sandbox\/assistant/)).toBeVisible()
  await expect(right.getByText(/1 credit · Draft · sandbox\/assistant/)).toBeVisible()
  await expect(chip(page)).toHaveText('98', { timeout: 2_000 })
  await left.getByRole('button', { name: 'What the model saw' }).click()
  await expect(left.getByText('Be kind.', { exact: true })).toBeVisible()

  // Another model on the right is free, and its price is marked as better.
  await page.getByRole('combobox', { name: 'Right: model' }).click()
  await page.getByRole('option', { name: /, free/ }).click()
  await expect(page.getByText('Sending to both costs 1 credit: 1 + 0.')).toBeVisible()
  await say(page, 'And now?')
  await expect(right.last().getByText(/0 credits \(better\)/)).toBeVisible()
  await expect(chip(page)).toHaveText('97', { timeout: 2_000 })
  await page.reload()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(right.last().getByText(/Draft · sandbox\/free/)).toBeVisible()

  // One stop for both: only the reply that had begun is kept, at its price.
  await say(page, '[[sandbox words=5000 pace=10ms]]')
  await page.getByRole('button', { name: 'Stop and keep this part (1 credit)', exact: true }).click()
  await expect(page.getByText('Stopped', { exact: true })).toHaveCount(2)
  await expect(page.getByRole('button', { name: /^Stop and/ })).toHaveCount(0)
  const { turns, held } = await stored(owner, agent.id)
  expect(turns).toHaveLength(6)
  expect(held).toBe(0)

  // A phone shows one side at a time.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(left.first()).toBeVisible()
  await expect(right.first()).toBeHidden()
  await page.getByRole('radio', { name: 'Left', exact: true }).press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Right', exact: true })).toBeChecked()
  await expect(right.first()).toBeVisible()
  await expect(left.first()).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Support')
  await expect(page).toHaveURL(/version=1&session=playground-[^&]*$/)
})

test('a comparison says on which side a message failed @long', async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner({ credits: 1 })
  const agent = await owner.newAgent({ model: 'sandbox/assistant' })
  await page.goto(`/agents/${agent.id}?try=compare&version=1`)
  await expect(page.getByText('A message to both sides costs 2 credits. You have 1.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Right: model' }).click()
  await page.getByRole('option', { name: /, free/ }).click()
  await say(page, 'Hello [[sandbox fail=error]]')
  for (const name of ['Left', 'Right']) {
    const side = page.getByRole('region', { name, exact: true })
    await expect(side.getByText('The model returned an error')).toBeVisible()
    await expect(side.getByText('Not charged.')).toBeVisible()
    await expect(side.getByRole('button', { name: 'Retry' })).toBeVisible()
  }
  await expect(chip(page)).toHaveText('1')
})
