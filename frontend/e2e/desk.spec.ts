import type { Page } from '@playwright/test'
import { chat } from './support/owner'
import { expect, full, test } from './support/test'

const low = { width: 1280, height: 720 }
const phone = { width: 390, height: 844 }
/** What a window of 1280 x 800 holds at 200 %. */
const enlarged = { width: 640, height: 400 }

const message = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })

for (const [node, save] of [
  ['agent', 'Save changes'],
  ['model', 'Save changes'],
] as const) {
  test(`Save is in view with the fields of the ${node}`, full(), async ({ strictPage: page, newOwner }) => {
    const agent = await (await newOwner()).newAgent()
    for (const size of [low, { width: 1280, height: 800 }]) {
      await page.setViewportSize(size)
      await page.goto(`/agents/${agent.id}?node=${node}`)
      await expect(page.getByRole('button', { name: save })).toBeInViewport({ ratio: 1 })
    }
  })
}

test('a conflict is in view', full(), async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  await page.setViewportSize(low)
  await page.goto(`/agents/${agent.id}?node=agent`)
  await page.getByRole('textbox', { name: 'Instructions' }).fill('Mine.')
  await owner.change(agent.id, { instructions: 'Theirs.' })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('button', { name: 'Keep my changes' })).toBeInViewport({ ratio: 1 })
})

test('Send is in view on a phone and at 200 %', full(), async ({ strictPage: page, newOwner }) => {
  const agent = await (await newOwner()).newAgent()
  for (const size of [phone, enlarged]) {
    await page.setViewportSize(size)
    await page.goto(`/agents/${agent.id}/playground`)
    await expect(page.getByRole('button', { name: 'Send' })).toBeInViewport({ ratio: 1 })
    await expect(message(page)).toBeInViewport({ ratio: 1 })
  }
})

test(
  'the playground keeps its conversation over a change of tab, Back and a reload',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const agent = await (await newOwner()).newAgent()
    await page.goto(`/agents/${agent.id}/playground`)
    await message(page).fill('Hello there')
    await message(page).press('Enter')
    const reply = page.getByText('You wrote: “Hello there”')
    await expect(reply).toBeVisible()
    await page.reload()
    await expect(reply).toBeVisible()
    const tabs = page.getByRole('navigation', { name: 'Pages of this agent' })
    await tabs.getByRole('link', { name: 'Versions' }).click()
    await expect(page).toHaveURL(/\/versions$/)
    await page.goBack()
    await expect(reply).toBeVisible()
    await tabs.getByRole('link', { name: 'Versions' }).click()
    await expect(page).toHaveURL(/\/versions$/)
    await tabs.getByRole('link', { name: 'Playground' }).click()
    await expect(reply).toBeVisible()
  },
)

test(
  'an earlier test conversation is gone on with, and the last message is asked again',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const agent = await owner.newAgent()
    await owner.sendTestMessage(agent.id, 'Where is my parcel?', 'first-test')
    await page.goto(`/agents/${agent.id}`)
    await message(page).fill('What does it cost?')
    await message(page).press('Enter')
    const log = page.getByRole('log')
    await expect(log).toContainText('You wrote: “What does it cost?”')
    await page.getByRole('button', { name: 'Past tests' }).click()
    await expect(page.getByRole('menuitem')).toHaveCount(2) // the open one is not among them
    await page.getByRole('menuitem', { name: 'Where is my parcel?' }).click()
    await expect(log).toContainText('You wrote: “Where is my parcel?”')
    await expect(log).not.toContainText('What does it cost?')
    await expect(page).toHaveURL(/session=first-test/)
    await page.getByRole('button', { name: 'Ask again' }).click()
    await expect(log.getByText('You wrote: “Where is my parcel?”')).toHaveCount(2)
    await expect(log.getByRole('button', { name: 'Ask again' })).toHaveCount(1)
    await page.reload()
    await expect(log.getByText('You wrote: “Where is my parcel?”')).toHaveCount(2)
  },
)

test('amounts and times are not cut off on a phone', full(), async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ model: 'sandbox/assistant' })
  const { apiKey } = await owner.newExport(agent.id)
  await chat(apiKey, 'Hello', 's-1', undefined, { user_id: 'customer 7' })
  await page.setViewportSize(phone)
  await page.goto('/credits')
  const amount = page.getByTestId('credit-entry').first().getByText('−1')
  await amount.scrollIntoViewIfNeeded()
  await expect(amount).toBeInViewport({ ratio: 1 })
  for (const path of ['/agents', '/exports', '/conversations', `/agents/${agent.id}/end-users`]) {
    await page.goto(path)
    const row = page.locator('tbody tr').first()
    await expect(row).toBeVisible()
    const cut = await row.locator('td:visible').evaluateAll(
      (cells) =>
        cells.filter((cell) => {
          const { left, right } = cell.getBoundingClientRect()
          return left < 0 || right > window.innerWidth
        }).length,
    )
    expect(cut, path).toBe(0)
  }
})

test('the exact time is shown in a row that is a link', full(), async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  await chat((await owner.newExport(agent.id)).apiKey, 'Hello', 's-1')
  await page.goto('/conversations')
  const time = page.locator('tbody time').first()
  await time.hover()
  await expect(page.getByRole('tooltip')).toContainText(String(new Date().getFullYear()))
  await time.click()
  await expect(page).toHaveURL(/\/conversations\/.+/)
})

test('forced colours tell the current page, tab and choice', full(), async ({ strictPage: page, newOwner }) => {
  const agent = await (await newOwner()).newAgent()
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/agents')
  const look = (name: string) =>
    page.getByRole('link', { name, exact: true }).evaluate((link) => getComputedStyle(link).backgroundColor)
  await expect(page.getByRole('link', { name: 'Agents', exact: true })).toHaveAttribute('aria-current', 'page')
  expect(await look('Agents')).not.toBe(await look('Exports'))
  const choice = (name: string) =>
    page
      .locator('.mantine-SegmentedControl-label', { hasText: name })
      .evaluate((label) => getComputedStyle(label).color)
  expect(await choice('All')).not.toBe(await choice('Not live'))
  await page.goto(`/agents/${agent.id}`)
  const tab = (name: string) =>
    page
      .getByRole('navigation', { name: 'Pages of this agent' })
      .getByRole('link', { name })
      .evaluate((link) => getComputedStyle(link).borderBottomColor)
  expect(await tab('Build')).not.toBe(await tab('Versions'))
})

test('the header never covers what has the focus', full(), async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  for (let i = 0; i < 25; i++) await owner.newAgent({ name: `Agent ${i}`, publish: false })
  await page.setViewportSize({ width: 1280, height: 500 })
  await page.goto('/agents')
  const rows = page.locator('tbody .panel-row-link')
  await expect(rows).toHaveCount(25)
  await rows.last().focus()
  for (let i = 0; i < 24; i++) {
    await page.keyboard.press('Shift+Tab')
    const top = await page.evaluate(() => document.activeElement?.getBoundingClientRect().top ?? 0)
    expect(top).toBeGreaterThanOrEqual(48)
  }
})

test('mistyped addresses show the panel’s own page', async ({ page, newOwner }) => {
  for (const path of ['/dashboard', '/docs']) {
    const answer = await page.goto(path)
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  }
  await newOwner()
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Exports' }).click()
  await expect(page).toHaveURL(/\/exports$/)
  const api = await page.request.get('/dashboard', { headers: { Accept: 'application/json' } })
  expect(api.headers()['content-type']).toContain('application/json')
})

test(
  'the chart labels its days evenly and tells credits and messages',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const agent = await owner.newAgent({ model: 'sandbox/assistant' })
    await chat((await owner.newExport(agent.id)).apiKey, 'Hello')
    await page.goto('/credits')
    const labels = page.locator('.recharts-xAxis .recharts-cartesian-axis-tick text, .recharts-xAxis-tick-labels text')
    await expect(labels.nth(3)).toBeVisible()
    const xs = await labels.evaluateAll((all) => all.map((label) => label.getBoundingClientRect().x))
    const gaps = xs.slice(2).map((x, i) => x - (xs[i + 1] ?? 0))
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThan(12)
    await expect(page.locator('.recharts-bar-rectangle path')).toHaveCount(1) // a day without use is a gap
    await page.locator('.recharts-bar-rectangle path').hover()
    await expect(page.getByText('1 credit for 1 message').last()).toBeVisible()
  },
)
