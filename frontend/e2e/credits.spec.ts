import type { Page } from '@playwright/test'
import { grant } from './support/accounts'
import { chat, type Owner } from './support/owner'
import { expect, test } from './support/test'

const chip = (page: Page) => page.getByTestId('credit-chip')
const message = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })

/** A live agent whose messages cost one credit, and the key to call it with. */
async function costly(owner: Owner) {
  const agent = await owner.newAgent({ model: 'sandbox/assistant' })
  return { agent, ...(await owner.newExport(agent.id)) }
}

async function say(apiKey: string, text = 'Hello', status = 200) {
  const reply = await chat(apiKey, text)
  expect(reply.status, JSON.stringify(reply.body)).toBe(status)
}

test('acceptance 12: the balance follows a chat in this panel within 2 s, and one elsewhere within 15 s while visible @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner({ credits: 10 })
  const { agent, apiKey } = await costly(owner)
  await page.clock.install()
  await page.goto(`/agents/${agent.id}?try=window`)
  await expect(chip(page)).toHaveText('10')
  for (const left of [9, 8]) {
    await message(page).fill('Hello')
    await message(page).press('Enter')
    await expect(page.getByText(/ · 1 credit$/)).toHaveCount(10 - left)
    await expect(chip(page)).toHaveText(String(left), { timeout: 2_000 })
  }
  // A failure costs nothing, and the credit held for it is free again.
  await message(page).fill('[[sandbox fail=error]]')
  await message(page).press('Enter')
  await expect(page.getByText('Not charged.')).toBeVisible()
  await expect(chip(page)).toHaveText('8', { timeout: 2_000 })

  // A poll joins a request in flight, which may have read the balance before the charge.
  await page.waitForLoadState('networkidle')
  await say(apiKey)
  await page.clock.fastForward(13_000)
  await expect(chip(page)).toHaveText('7', { timeout: 2_000 })
  // A hidden page asks nothing; shown again, it follows.
  const show = (state: string) =>
    page.evaluate((now) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: now })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }, state)
  await show('hidden')
  await page.waitForLoadState('networkidle')
  await say(apiKey)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.postData() ?? request.url()))
  for (const _ of [1, 2, 3, 4]) await page.clock.runFor(15_000)
  expect(asked).toEqual([])
  await show('visible')
  await expect(chip(page)).toHaveText('6', { timeout: 2_000 })
})

test('acceptance 13: without credits the playground says why, keeps what is typed, and goes on after a grant @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner({ credits: 1 })
  const { agent, apiKey } = await costly(owner)
  await page.goto(`/agents/${agent.id}?try=window`)
  await expect(chip(page)).toHaveText('1')
  await message(page).fill('Sent a moment too late')
  await say(apiKey) // the last credit
  await message(page).press('Enter')
  const entry = page.getByRole('article', { name: 'Message and reply' })
  await expect(entry).toContainText('No reply')
  await expect(entry).toContainText('Sent a moment too late')
  await expect(chip(page)).toHaveText('0', { timeout: 2_000 })
  const notice = page.getByRole('status').filter({ hasText: 'Not enough credits' })
  await expect(notice).toContainText('A message to this model costs 1 credit. You have 0.')
  await message(page).fill('Typed before there were credits')
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()

  grant(owner.account, 3, 'A top-up')
  await entry.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText(/ · 1 credit$/)).toHaveCount(1)
  await expect(chip(page)).toHaveText('2', { timeout: 2_000 })
  await expect(notice).toHaveCount(0)
  await expect(message(page)).toHaveValue('Typed before there were credits')
  await message(page).press('Enter')
  await expect(page.getByText(/ · 1 credit$/)).toHaveCount(2)
  await expect(chip(page)).toHaveText('1', { timeout: 2_000 })
})

const amounts = (texts: string[]) => texts.map((text) => Number(text.replace('−', '-').replaceAll(',', '')))
const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)

test('acceptance 12: the chart and the history of the same days have the same sum, and a day opens to its messages @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner({ credits: 100 })
  const { agent, apiKey } = await costly(owner)
  const free = await owner.newExport((await owner.newAgent()).id)
  for (let turn = 0; turn < 7; turn++) await say(apiKey)
  await say(free.apiKey)
  await say(apiKey, '[[sandbox fail=error]]', 502)
  await owner.sendTestMessage(agent.id, 'Hello')
  await page.goto('/usage')
  await expect(page.getByRole('heading', { name: '8 credits for 9 messages' })).toBeVisible()
  // Days without use are drawn.
  const days = await page.evaluate(() => new Date().getDate())
  await expect(
    page.getByRole('img', { name: new RegExp(`^8 (in|over) ${days} intervals?; the table below has the figures`) }),
  ).toBeVisible()

  await page.getByRole('navigation', { name: 'Usage & credits' }).getByRole('link', { name: 'Credits' }).click()
  await expect(page.getByTestId('balance')).toHaveText('92 credits')
  const day = page.getByTestId('credit-day')
  await expect(day).toHaveCount(1)
  await expect(day.getByRole('cell').nth(1)).toHaveText('9')
  await expect(day.getByRole('cell').nth(2)).toHaveText('−8')
  await expect(day.getByRole('cell').nth(4)).toHaveText('92')
  await day.getByRole('button').click()
  const charges = page.getByTestId('credit-entry').filter({ hasText: /Hello|in Try/ })
  await expect(charges).toHaveCount(9)
  expect(sum(amounts(await charges.locator('td:nth-child(4)').allInnerTexts()))).toBe(-8)
  await day.getByRole('button').click()
  await expect(page.getByTestId('credit-entry')).toHaveCount(0)
  await page.reload()
  await expect(day.getByRole('button')).toHaveAttribute('aria-expanded', 'false')
  await day.getByRole('button').click()
  await charges.filter({ hasText: 'Hello' }).first().getByRole('link', { name: 'Hello' }).click()
  await expect(page).toHaveURL(/\/conversations\/.+\?turn=1/)
})

test('row 22: with 10,000 charges today, yesterday is on the first screen', async ({ strictPage: page, newOwner }) => {
  const { apiKey } = await costly(await newOwner({ credits: 10 }))
  await say(apiKey)
  // 10,000 messages would take minutes: the service's own days have these numbers instead.
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const body = JSON.parse(await response.text(), (_, value) => {
      const [yesterday, today] = Array.isArray(value) ? value.slice(-2) : []
      if (!yesterday?.start || today?.messages === undefined) return value
      Object.assign(yesterday, { credits: 40, messages: 40 })
      Object.assign(today, { credits: 10_000, messages: 10_000 })
      return value
    })
    await route.fulfill({ response, json: body })
  })
  await page.setViewportSize({ width: 1280, height: 900 })
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toLocaleDateString('sv') // as in an address
  await page.goto(`/usage/credits?range=own&from=${day(6)}&to=${day(0)}`)
  const days = page.getByTestId('credit-day')
  await expect(days.first()).toContainText('10,000')
  await expect(days.nth(1)).toContainText('40')
  await expect(days.nth(1)).toBeInViewport({ ratio: 1 })
})
