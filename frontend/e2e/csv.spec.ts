import { readFile } from 'node:fs/promises'
import type { Download, Page, Route } from '@playwright/test'
import { grant, newAccount } from './support/accounts'
import { parseCsv } from './support/csv'
import { chat, Owner } from './support/owner'
import { inParallel } from './support/parallel'
import { expect, full, test } from './support/test'

const callersAtOnce = 8

type Entry = {
  id: string
  kind: 'GRANT' | 'CHARGE' | 'ADJUSTMENT'
  amount: number
  balanceAfter: number
  createdAt: string
  note: string | null
  agentName: string | null
  exportName: string | null
  turn: { conversationId: string } | null
}

/** Every row that the API has for a filter, the newest first. */
async function history(owner: Owner, filter: Record<string, unknown> = {}): Promise<Entry[]> {
  const query = `query($after: String, $filter: CreditFilter) { viewer { creditHistory(first: 100, after: $after, filter: $filter) {
    nodes { id kind amount balanceAfter createdAt note agentName exportName turn { conversationId } }
    pageInfo { hasNextPage endCursor } } } }`
  type Answer = {
    viewer: { creditHistory: { nodes: Entry[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } } }
  }
  const all: Entry[] = []
  let after: string | null = null
  for (;;) {
    const { creditHistory }: Answer['viewer'] = (await owner.gql<Answer>(query, { after, filter })).viewer
    all.push(...creditHistory.nodes)
    if (!creditHistory.pageInfo.hasNextPage) return all
    after = creditHistory.pageInfo.endCursor
  }
}

/** What a spreadsheet must not run is text. */
const defused = (text: string | null) => (text && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : (text ?? ''))

const kinds = { GRANT: 'Grant', CHARGE: 'Charge', ADJUSTMENT: 'Adjustment' }

const asRecord = (entry: Entry) => [
  entry.createdAt,
  kinds[entry.kind],
  defused(entry.agentName),
  defused(entry.exportName),
  defused(entry.note),
  String(Math.max(entry.amount, 0)),
  String(Math.max(-entry.amount, 0)),
  String(entry.balanceAfter),
  entry.turn?.conversationId ?? '',
  entry.id,
]

const header = [
  'Time (UTC)',
  'Kind',
  'Agent',
  'Export',
  'Note',
  'Credits added',
  'Credits taken',
  'Balance after',
  'Conversation id',
  'Entry id',
]

async function download(page: Page) {
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  return read(await coming)
}

async function read(file: Download) {
  const bytes = await readFile(await file.path())
  expect([...bytes.subarray(0, 3)], 'the byte order mark').toEqual([0xef, 0xbb, 0xbf])
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const [first, ...records] = parseCsv(text)
  expect(first).toEqual(header)
  return { records, text }
}

/** Holds each page that the download reads from the given one on, as a slow line does, until it is let go. */
async function slowFrom(page: Page, from: number) {
  const held: Route[] = []
  let pages = 0
  let open = false
  await page.route('**/graphql', async (route) => {
    const { query, variables } = route.request().postDataJSON() as { query: string; variables?: { first?: number } }
    const ours = query.includes('query CreditHistory') && variables?.first === 100
    if (ours && ++pages >= from && !open) held.push(route)
    else await route.continue()
  })
  return {
    waiting: () => held.length,
    pages: () => pages,
    letGo: async () => {
      open = true
      await Promise.all(held.splice(0).map((route) => route.continue()))
    },
  }
}

/** An owner of so many charges, whose agents, exports and notes have names that spreadsheets take for formulas. */
async function ownerOfMany(page: Page, charges: number) {
  const account = newAccount({ credits: 2_000 })
  const owner = await Owner.signIn(account)
  await page.context().addCookies(owner.cookies())
  const link = await owner.newAgent({ name: '=HYPERLINK("http://x","a, b")', model: 'sandbox/assistant' })
  const at = await owner.newAgent({ name: '@SUM(1+1)*cmd|"/c calc"!A1' })
  const exports = [
    await owner.newExport(link.id, '+1'),
    await owner.newExport(link.id, '-1, "minus"'),
    await owner.newExport(at.id, '@x'),
    await owner.newExport(at.id, 'Ünïcode 🛒 «quoted»'),
  ]
  grant(account, 5, '=1+1, "and" more')
  grant(account, 6, '-2')
  await inParallel(
    Array.from({ length: charges }, (_, place) => place),
    callersAtOnce,
    async (place) => {
      const { apiKey } = exports[place % exports.length] as { apiKey: string }
      const { status, body } = await chat(apiKey, 'Hello', `caller ${place % 97}`)
      expect(status, JSON.stringify(body)).toBe(200)
    },
  )
  return { owner, account, link, at, exports }
}

for (const charges of [440, 1_100]) {
  test(
    `acceptance 10: the CSV of ${charges} charges holds exactly the filtered rows, defused`,
    full(),
    async ({ strictPage: page }) => {
      test.setTimeout(240_000)
      const { owner, account, link, at, exports } = await ownerOfMany(page, charges)
      const [plus] = exports as [(typeof exports)[number]]

      // Everything. While it is read, more is charged and granted: that is not in it.
      await page.goto('/credits')
      await expect(page.getByTestId('credit-entry').first()).toBeVisible()
      const all = await history(owner)
      expect(all.length).toBe(charges + 3)
      const line = await slowFrom(page, 4)
      const coming = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download CSV' }).click()
      await expect.poll(line.waiting).toBe(1)
      await expect(page.getByText('300 rows read')).toBeVisible()
      const bar = page.getByRole('progressbar', { name: 'Download progress' })
      const part = Number(await bar.getAttribute('aria-valuenow'))
      expect(part).toBeGreaterThan(0)
      expect(part).toBeLessThan(100)
      await chat(plus.apiKey, 'Hello')
      grant(account, 7, '@later')
      await line.letGo()
      const whole = await read(await coming)
      expect(whole.records).toEqual(all.map(asRecord))
      await expect(bar).toHaveCount(0)
      await expect(page.getByText('File downloaded')).toBeVisible()
      // The cells are text to a spreadsheet, whatever their names begin with.
      expect(whole.text).toContain(`"'=HYPERLINK(""http://x"",""a, b"")"`)
      expect(whole.text).toContain(`,'+1,`)
      expect(whole.text).toContain(`,"'-1, ""minus""",`)
      expect(whole.text).toContain(`,'@x,`)
      expect(whole.text).toContain(`,"'=1+1, ""and"" more",`)
      expect(whole.records.flat().filter((cell) => /^[=+\-@\t\r\n]/.test(cell))).toEqual([])

      // Each filter, and several at once.
      const now = await history(owner)
      const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'UTC' })
      const filters: [string, Record<string, unknown>, (entry: Entry) => boolean][] = [
        ['kind=GRANT', { kind: 'GRANT' }, ({ kind }) => kind === 'GRANT'],
        [`agent=${link.id}`, { agentId: link.id }, ({ agentName }) => agentName === link.name],
        [`export=${plus.id}`, { exportId: plus.id }, ({ exportName }) => exportName === '+1'],
        [`agent=${at.id}&kind=CHARGE&export=${exports[2]?.id}`, {}, ({ exportName }) => exportName === '@x'],
      ]
      for (const [search, filter, fits] of filters) {
        await page.goto(`/credits?${search}`)
        await expect(page.getByTestId('credit-entry').first()).toBeVisible()
        const { records } = await download(page)
        expect(records, search).toEqual(now.filter(fits).map(asRecord))
        expect(records.length).toBeGreaterThan(3)
        if (Object.keys(filter).length > 0) expect(records).toEqual((await history(owner, filter)).map(asRecord))
      }
      const days = [...new Set(now.map(({ createdAt }) => day.format(new Date(createdAt))))]
      await page.goto(`/credits?from=${days.at(-1)}&to=${days[0]}`)
      await expect(page.getByTestId('credit-entry').first()).toBeVisible()
      expect((await download(page)).records.length).toBe(now.length)

      // Names outlive what they name.
      await owner.gql('mutation($input: DeleteAgentInput!) { deleteAgent(input: $input) { id } }', {
        input: { id: link.id },
      })
      await page.goto('/credits?kind=CHARGE')
      await expect(page.getByTestId('credit-entry').first()).toBeVisible()
      const late = await download(page)
      expect(late.records.filter((record) => record[2] === `'${link.name}`).length).toBe(charges / 2 + 1)
      expect(late.records.length).toBe(charges + 1)
    },
  )
}

test(
  'acceptance 10: a download is cancelled, by its button and by another filter, and begun again',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const agent = await owner.newAgent()
    const { apiKey } = await owner.newExport(agent.id)
    await inParallel(Array.from({ length: 350 }), callersAtOnce, () => chat(apiKey, 'Hello', 'caller'))
    let downloads = 0
    page.on('download', () => downloads++)
    await page.goto('/credits')
    await expect(page.getByTestId('credit-entry').first()).toBeVisible()
    const bar = page.getByRole('progressbar', { name: 'Download progress' })
    const begin = page.getByRole('button', { name: 'Download CSV' })

    const first = await slowFrom(page, 3)
    await begin.click()
    await expect.poll(first.waiting).toBe(1)
    await expect(page.getByText('200 rows read')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel download' }).click()
    await expect(bar).toHaveCount(0)
    await expect(begin).toBeVisible()
    await page.unrouteAll()

    const second = await slowFrom(page, 2)
    await begin.click()
    await expect.poll(second.waiting).toBe(1)
    await page.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Charge' }).click()
    await expect(page).toHaveURL(/kind=CHARGE/)
    await expect(bar).toHaveCount(0)
    await page.unrouteAll()

    expect((await download(page)).records.map((record) => record.at(-1))).toEqual(
      (await history(owner, { kind: 'CHARGE' })).map(({ id }) => id),
    )
    expect(first.pages()).toBe(3)
    expect(second.pages()).toBe(2)
    expect(downloads).toBe(1)
  },
)

test(
  'acceptance 10: a page that fails is read again, and a download that fails says so',
  full(),
  async ({ page, newOwner }) => {
    const owner = await newOwner()
    const agent = await owner.newAgent()
    const { apiKey } = await owner.newExport(agent.id)
    await inParallel(Array.from({ length: 150 }), callersAtOnce, () => chat(apiKey, 'Hello', 'caller'))
    await page.goto('/credits')
    await expect(page.getByTestId('credit-entry').first()).toBeVisible()
    let failures = 2
    await page.route('**/graphql', async (route) => {
      const { variables } = route.request().postDataJSON() as { variables?: { first?: number; after?: string } }
      if (variables?.first === 100 && variables.after && failures-- > 0) await route.abort('connectionreset')
      else await route.continue()
    })
    expect((await download(page)).records.map((record) => record.at(-1))).toEqual(
      (await history(owner)).map(({ id }) => id),
    )
    failures = Number.POSITIVE_INFINITY
    await page.getByRole('button', { name: 'Download CSV' }).click()
    await expect(page.getByText('The service could not be reached.')).toBeVisible({ timeout: 15_000 })
    await expect(page.getByRole('button', { name: 'Download CSV' })).toBeVisible()
  },
)
