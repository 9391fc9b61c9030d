import type { Page } from '@playwright/test'
import { chat, type Owner } from './support/owner'
import { expect, full, test } from './support/test'

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

test('acceptance 12: the balance follows a chat in this panel within 2 s', async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner({ credits: 10 })
  const { agent } = await costly(owner)
  await page.goto(`/agents/${agent.id}/playground`)
  await expect(chip(page)).toHaveText('10')
  for (const left of [9, 8]) {
    await message(page).fill('Hello')
    await message(page).press('Enter')
    await expect(page.getByText(/^1 credit · /)).toHaveCount(10 - left)
    await expect(chip(page)).toHaveText(String(left), { timeout: 2_000 })
  }
  // A failure costs nothing, and the credit held for it is free again.
  await message(page).fill('[[sandbox fail=error]]')
  await message(page).press('Enter')
  await expect(page.getByText('Nothing was charged.')).toBeVisible()
  await expect(chip(page)).toHaveText('8', { timeout: 2_000 })
})

/** Waits until the page asks for its balance by itself, and for the answer. */
const nextPoll = (page: Page) =>
  page.waitForResponse((response) => (response.request().postData() ?? '').includes('query Viewer') && response.ok(), {
    timeout: 20_000,
  })

test(
  'acceptance 12: the balance follows a chat elsewhere within 15 s',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner({ credits: 10 })
    const { apiKey } = await costly(owner)
    await page.goto('/credits')
    await expect(chip(page)).toHaveText('10')
    await expect(page.getByTestId('usage-sum')).toHaveText('0 credits for 0 messages')
    // The worst moment: just after the page has asked.
    await nextPoll(page)
    await say(apiKey)
    await expect(chip(page)).toHaveText('9', { timeout: 15_000 })
    // What is made of the charges follows it.
    await expect(page.getByTestId('usage-sum')).toHaveText('1 credit for 1 message')
    await expect(page.getByTestId('credit-entry')).toHaveCount(2)
  },
)

test(
  'acceptance 12: a page that is hidden asks for nothing, and for the balance once it is shown',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner({ credits: 10 })
    const { apiKey } = await costly(owner)
    await page.clock.install()
    const asked: string[] = []
    let answered = 0
    page.on('requestfinished', (request) => {
      if (new URL(request.url()).pathname === '/graphql') answered++
    })
    page.on('request', (request) => {
      if (new URL(request.url()).pathname !== '/graphql') return
      const { query } = request.postDataJSON() as { query: string }
      asked.push(/(?:query|mutation) (\w+)/.exec(query)?.[1] ?? query)
    })
    await page.goto('/')
    await expect(chip(page)).toHaveText('10')
    // Time goes on here, second by second, while the answers come at their own pace.
    const second = async () => {
      await page.clock.runFor(1_000)
      return asked.filter((name) => name === 'Viewer').length
    }
    await expect.poll(second, { intervals: [50], timeout: 30_000 }).toBeGreaterThanOrEqual(4)

    await show(page, 'hidden')
    // What was asked before is answered first.
    await expect
      .poll(
        async () => {
          const before = asked.length
          await second()
          return asked.length === before && answered === before
        },
        { intervals: [200] },
      )
      .toBe(true)
    asked.length = 0
    await page.clock.runFor(10 * 60_000)
    await say(apiKey)
    expect(asked).toEqual([])
    await expect(chip(page)).toHaveText('10')

    await show(page, 'visible')
    await expect(chip(page)).toHaveText('9', { timeout: 2_000 })
  },
)

/** What the browser does when the tab is put behind another, or before it: it has no way to do that without a screen. */
async function show(page: Page, state: 'hidden' | 'visible') {
  await page.evaluate((given) => {
    Object.defineProperty(document, 'visibilityState', { value: given, configurable: true })
    Object.defineProperty(document, 'hidden', { value: given === 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)
}

const amounts = (texts: string[]) => texts.map((text) => Number(text.replace('−', '-').replaceAll(',', '')))
const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)
const dayRows = (page: Page) => page.getByRole('region', { name: 'Usage in the last 30 days' }).locator('tbody tr')

test(
  'acceptance 12: the chart and the history of the same days have the same sum, and every day is drawn',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner({ credits: 100 })
    const { agent, apiKey } = await costly(owner)
    const free = await owner.newExport((await owner.newAgent()).id)
    for (let turn = 0; turn < 7; turn++) await say(apiKey)
    await say(free.apiKey)
    await say(apiKey, '[[sandbox fail=error]]', 502)
    await owner.sendTestMessage(agent.id, 'Hello')
    // Four days on, the use lies within the range, and there are days on both sides of it.
    await page.clock.setFixedTime(Date.now() + 4 * 24 * 3600_000)
    await page.goto('/credits')

    const section = page.getByRole('region', { name: 'Usage in the last 30 days' })
    await expect(page.getByTestId('usage-sum')).toHaveText('8 credits for 9 messages')
    await expect(
      section.getByRole('img', { name: 'Credits used per day over 30 days: 8 in total, for 9 messages' }),
    ).toBeVisible()
    const bars = section.locator('.recharts-bar-rectangle path')
    // Days without use are gaps as wide as the others.
    await expect(bars).toHaveCount(1)
    const bar = await bars.boundingBox()
    const plot = await section.locator('.recharts-cartesian-grid').boundingBox()
    if (!bar || !plot) throw new Error('the chart is not drawn')
    expect(bar.height).toBeGreaterThan(20)
    expect(Math.floor(((bar.x + bar.width / 2 - plot.x) / plot.width) * 30)).toBe(25)

    await section.getByText('Table', { exact: true }).click()
    await expect(dayRows(page)).toHaveCount(30)
    const perDay = amounts(await dayRows(page).locator('td:nth-child(2)').allInnerTexts())
    expect(perDay.filter((credits) => credits === 0)).toHaveLength(29)
    expect(perDay[4]).toBe(8)

    await section.getByRole('link', { name: 'Show these charges below' }).click()
    await expect(page).toHaveURL(/kind=CHARGE/)
    const entries = page.getByTestId('credit-entry')
    await expect(entries).toHaveCount(9)
    expect(-sum(amounts(await entries.locator('td:nth-child(5)').allInnerTexts()))).toBe(sum(perDay))
  },
)

/** Of these, one at least has another date than UTC at any hour. */
for (const timeZone of ['Asia/Kathmandu', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
  test.describe(timeZone, () => {
    test.use({ timezoneId: timeZone })

    test(
      `acceptance 12: days are those of the browser, in ${timeZone}`,
      full(),
      async ({ strictPage: page, newOwner }) => {
        const owner = await newOwner({ credits: 10 })
        const { apiKey } = await costly(owner)
        await say(apiKey)
        const { viewer } = await owner.gql<{ viewer: { creditHistory: { nodes: { createdAt: string }[] } } }>(
          'query { viewer { creditHistory(first: 1) { nodes { createdAt } } } }',
        )
        const charged = new Date(viewer.creditHistory.nodes[0]?.createdAt ?? '')
        const inWords = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone })
        const asDate = new Intl.DateTimeFormat('sv-SE', { timeZone })
        await page.goto('/credits?view=table')
        const used = dayRows(page).filter({ has: page.getByRole('cell', { name: '1', exact: true }) })
        await expect(used).toHaveCount(1)
        await expect(used.locator('td').first()).toHaveText(inWords.format(charged))

        const entries = page.getByTestId('credit-entry')
        for (const [days, found] of [
          [0, 1],
          [-1, 0],
          [1, 0],
        ] as const) {
          const day = asDate.format(charged.getTime() + days * 24 * 3600_000)
          await page.goto(`/credits?kind=CHARGE&from=${day}&to=${day}`)
          if (found === 0) await expect(page.getByText('No matching entries')).toBeVisible()
          await expect(entries).toHaveCount(found)
        }
      },
    )
  })
}

test.describe('a change of the clocks', () => {
  test.use({ timezoneId: 'America/New_York' })

  test('acceptance 12: days of 23 and 25 hours are days', full(), async ({ strictPage: page, newOwner }) => {
    await newOwner()
    // The clocks were put back on November 1 and will be put forward on March 14.
    for (const [now, last, first] of [
      ['2026-11-10T12:00:00Z', 'Nov 10, 2026', 'Oct 12, 2026'],
      ['2027-03-20T12:00:00Z', 'Mar 20, 2027', 'Feb 19, 2027'],
    ] as const) {
      await page.clock.setFixedTime(now)
      await page.goto('/credits?view=table')
      await expect(dayRows(page)).toHaveCount(30)
      const days = await dayRows(page).locator('td:first-child').allInnerTexts()
      expect(new Set(days).size).toBe(30)
      expect([days[0], days.at(-1)]).toEqual([last, first])
    }
  })
})
