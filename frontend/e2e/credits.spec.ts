import type { Page } from '@playwright/test'
import { grant, newAccount } from './support/accounts'
import { chat, Owner } from './support/owner'
import { type Service, startService } from './support/service'
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

/** An owner of another service, in whose panel the page is signed in. */
async function ownerAt(page: Page, service: Service, credits: number) {
  const account = newAccount({ credits }, service)
  const owner = await Owner.signIn(account, service)
  await page.context().addCookies(owner.cookies())
  const agent = await owner.newAgent({ model: 'sandbox/assistant' })
  const { apiKey } = await owner.newExport(agent.id)
  const call = async (status = 200) => {
    const reply = await chat(apiKey, 'Hello', undefined, service)
    expect(reply.status, JSON.stringify(reply.body)).toBe(status)
  }
  return { account, agent, call }
}

test.describe('an operator who is written to', () => {
  const help = 'Write to credits@example.com, or call <b>Ada</b>.'
  let service: Service
  // One service is enough for them.
  test.describe.configure({ mode: 'default' })
  test.beforeAll(async () => {
    test.setTimeout(180_000)
    service = await startService({ CREDITS_HELP: help })
  })
  test.afterAll(() => service.stop())

  test(
    'acceptance 13: without credits the playground says why and what to do, and keeps what is typed',
    full(),
    async ({ page }) => {
      const { account, agent } = await ownerAt(page, service, 1)
      await page.goto(`${service.panel}/agents/${agent.id}/playground`)
      await message(page).fill('The last one')
      await message(page).press('Enter')
      await expect(page.getByText(/^1 credit · /)).toHaveCount(1)
      await expect(chip(page)).toHaveText('0', { timeout: 2_000 })
      const notice = page.getByRole('status').filter({ hasText: 'Not enough credits' })
      await expect(notice).toContainText('A message to this model costs 1 credit. You have 0 available.')
      await expect(notice).toContainText(help)

      await message(page).fill('Typed before there were credits')
      await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
      await message(page).press('Enter')
      await expect(message(page)).toHaveValue('Typed before there were credits')
      await expect(page.getByRole('article', { name: 'Message and reply' })).toHaveCount(1)

      grant(account, 5, 'A top-up', service)
      await expect(chip(page)).toHaveText('5', { timeout: 15_000 })
      await expect(notice).toHaveCount(0)
      await expect(message(page)).toHaveValue('Typed before there were credits')
      await message(page).press('Enter')
      await expect(page.getByText(/^1 credit · /)).toHaveCount(2)
      await expect(chip(page)).toHaveText('4', { timeout: 2_000 })
    },
  )

  test('acceptance 13: a message sent as the last credit was spent elsewhere is kept, and answered after a grant', async ({
    page,
  }) => {
    const { account, agent, call } = await ownerAt(page, service, 1)
    await page.goto(`${service.panel}/agents/${agent.id}/playground`)
    await expect(chip(page)).toHaveText('1')
    await message(page).fill('Sent a moment too late')
    await call()
    await message(page).press('Enter')
    const exchange = page.getByRole('article', { name: 'Message and reply' })
    await expect(exchange).toContainText('The message was not answered')
    await expect(exchange).toContainText('Sent a moment too late')
    await expect(exchange).toContainText(help)
    await expect(chip(page)).toHaveText('0', { timeout: 2_000 })

    grant(account, 3, 'A top-up', service)
    await exchange.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText(/^1 credit · /)).toHaveCount(1)
    await expect(exchange).toHaveCount(1)
    await expect(exchange).toContainText('Sent a moment too late')
    await expect(chip(page)).toHaveText('2', { timeout: 2_000 })
  })
})

test.describe('an operator with a page for it', () => {
  const help = 'https://pay.example.com/credits?for=agents&plan=a%20b'
  let service: Service
  test.beforeAll(async () => {
    test.setTimeout(180_000)
    service = await startService({ CREDITS_HELP: help })
  })
  test.afterAll(() => service.stop())

  test(
    'acceptance 13: low credits are announced, with how long they last, until there are enough again',
    full(),
    async ({ page }) => {
      test.setTimeout(150_000)
      const { account, agent, call } = await ownerAt(page, service, 54)
      await page.goto(`${service.panel}/credits`)
      await expect(page.getByTestId('available')).toHaveText('54 credits')
      const low = page.getByRole('status').filter({ hasText: 'Credits are running low' })
      const none = page.getByRole('status').filter({ hasText: 'No credits left' })
      await expect(low).toHaveCount(0)

      // Seven in a week are one a day.
      for (let turn = 0; turn < 7; turn++) await call()
      await expect(low).toContainText('47 credits are left.', { timeout: 15_000 })
      await expect(low).toContainText('Lasts about 47 days at the rate of the last 7 days.')
      const link = low.getByRole('link', { name: help })
      await expect(link).toHaveAttribute('href', help)
      await expect(link).toHaveAttribute('target', '_blank')
      await expect(link).toHaveAttribute('rel', /noopener/)
      await page.goto(`${service.panel}/`)
      await expect(low).toContainText('Lasts about 47 days')

      for (let turn = 0; turn < 47; turn++) await call()
      await call(402)
      await expect(none).toContainText('Agents do not answer until credits are added.', { timeout: 15_000 })
      await expect(none.getByRole('link', { name: help })).toBeVisible()
      await page.getByRole('link', { name: 'Credits available: 0' }).click()
      await expect(none).toBeVisible()

      // 54 in a week: what is there must last for seven days, and be 50 at least.
      grant(account, 53, 'Too little', service)
      await expect(low).toContainText('Lasts about 6 days', { timeout: 15_000 })
      await expect(none).toHaveCount(0)
      grant(account, 1_000, 'Enough', service)
      await expect(page.getByTestId('available')).toHaveText('1,053 credits', { timeout: 15_000 })
      await expect(low).toHaveCount(0)

      await page.goto(`${service.panel}/agents/${agent.id}/playground`)
      await expect(page.getByRole('status').filter({ hasText: 'Not enough credits' })).toHaveCount(0)
    },
  )
})
