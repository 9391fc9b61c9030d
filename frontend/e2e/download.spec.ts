import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { grant } from './support/accounts'
import { parseCsv } from './support/csv'
import { chat, type Owner } from './support/owner'
import { inParallel } from './support/parallel'
import { expect, test } from './support/test'

async function download(page: Page, button: string, item?: string): Promise<string> {
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  if (item) await page.getByRole('menuitem', { name: item }).click()
  const bytes = await readFile(await (await coming).path())
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
}

/** The rows of a CSV by the names of its columns. */
function rowsOf(text: string): Record<string, string>[] {
  const [names = [], ...records] = parseCsv(text)
  return records.map((record) => Object.fromEntries(names.map((name, i) => [name, record[i] ?? ''])))
}

test('acceptance 10: conversations are saved as JSONL and CSV, every message once, as filtered @long', async ({
  strictPage: page,
  newOwner,
}) => {
  test.setTimeout(120_000)
  const owner = await newOwner({ credits: 500 })
  const agent = await owner.newAgent({ name: '=1+1', model: 'sandbox/assistant' })
  const { apiKey } = await owner.newExport(agent.id, 'Till')
  const sent: string[] = []
  const say = async (session: string, message: string) => {
    await chat(apiKey, message, session)
    sent.push(`${session}: ${message}`)
  }
  // More than one page of turns, and more than one page of conversations.
  for (let i = 0; i < 103; i++) await say('long', `Message ${i}`)
  for (let i = 0; i < 12; i++) await say(`short-${i}`, `"Quoted", and\nmore of ${i} 🛒`)
  await say('short-3', '[[sandbox fail=error]]')

  await page.goto('/activity/conversations')
  const lines = (await download(page, 'Download', 'Download JSONL')).trimEnd().split('\n')
  const messages = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(messages.map(({ sessionId, message }) => `${sessionId}: ${message}`).sort()).toEqual(sent.toSorted())
  const long = messages.filter(({ sessionId }) => sessionId === 'long')
  expect(long.map(({ number }) => number)).toEqual(Array.from({ length: 103 }, (_, i) => i + 1))
  expect(long[7]).toMatchObject({ message: 'Message 7', agent: '=1+1', export: 'Till', state: 'ANSWERED', credits: 1 })
  await expect(page.getByText('File downloaded').first()).toBeVisible()

  const rows = rowsOf(await download(page, 'Download', 'Download CSV'))
  expect(rows.map(({ sessionId, message }) => `${sessionId}: ${message}`).sort()).toEqual(sent.toSorted())
  expect(rows.every((row) => row.agent === "'=1+1")).toBe(true)
  expect(rows.find(({ sessionId }) => sessionId === 'short-11')?.message).toBe('"Quoted", and\nmore of 11 🛒')

  await page.getByRole('button', { name: 'Failed' }).click()
  await expect(page.getByText('1 conversation', { exact: true })).toBeVisible()
  const failed = rowsOf(await download(page, 'Download', 'Download CSV'))
  expect(failed.map(({ sessionId, state }) => `${sessionId} ${state}`)).toEqual(['short-3 ANSWERED', 'short-3 FAILED'])
})

test('acceptance 10: requests are saved as CSV, refused ones too @long', async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ model: 'sandbox/assistant' })
  const { apiKey } = await owner.newExport(agent.id, '@x')
  await chat(apiKey, 'Hello', 's-1')
  expect((await chat(apiKey, '', 's-1')).status).toBe(400)
  await page.goto('/activity/requests')
  await expect(page.getByText('2 requests', { exact: true })).toBeVisible()
  const rows = rowsOf(await download(page, 'Download CSV'))
  expect(
    rows.map(({ outcome, status, code, credits, export: name }) => [outcome, status, code, credits, name]),
  ).toEqual([
    ['REFUSED', '400', 'invalid_request', '0', "'@x"],
    ['ANSWERED', '200', '', '1', "'@x"],
  ])
  await page.getByRole('link', { name: 'Hello', exact: true }).click()
  await expect(page.getByRole('complementary').getByTitle(rows[1]?.requestId ?? 'none')).toBeVisible()
})

type Entry = { id: string; amount: number; balanceAfter: number; note: string | null }

/** Every entry of the ledger, the newest first. */
async function ledger(owner: Owner): Promise<Entry[]> {
  const query = `query($after: String) { viewer { creditHistory(first: 100, after: $after) {
    nodes { id amount balanceAfter note } pageInfo { endCursor } } } }`
  type Answer = { viewer: { creditHistory: { nodes: Entry[]; pageInfo: { endCursor: string | null } } } }
  const all: Entry[] = []
  for (let after: string | null = null; ; ) {
    const { creditHistory }: Answer['viewer'] = (await owner.gql<Answer>(query, { after })).viewer
    if (creditHistory.nodes.length === 0) return all
    all.push(...creditHistory.nodes)
    after = creditHistory.pageInfo.endCursor
  }
}

test('acceptance 10: the CSV of the credits holds exactly the filtered rows, as text to a spreadsheet @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner({ credits: 200 })
  const agent = await owner.newAgent({ name: '=HYPERLINK("http://x","a, b")', model: 'sandbox/assistant' })
  const { apiKey } = await owner.newExport(agent.id, '+1')
  // More than one page.
  await inParallel(Array.from({ length: 110 }), 8, async (_, at) => {
    expect((await chat(apiKey, 'Hello', `caller ${at}`)).status).toBe(200)
  })
  grant(owner.account, 5, '=1+1, "and" more')
  const entries = await ledger(owner)
  expect(entries).toHaveLength(112)
  await page.goto('/usage/credits')
  const rows = rowsOf(await download(page, 'Download CSV'))
  expect(
    rows.map((row) => ({
      id: row['Entry ID'],
      amount: Number(row['Credits added']) - Number(row['Credits used']),
      balanceAfter: Number(row['Balance after']),
    })),
  ).toEqual(entries.map(({ id, amount, balanceAfter }) => ({ id, amount, balanceAfter })))
  expect(rows[0]).toMatchObject({ Type: 'Credits added', Note: `'=1+1, "and" more` })
  expect(rows[1]).toMatchObject({ Type: 'Message', Agent: `'=HYPERLINK("http://x","a, b")`, Export: "'+1" })

  await page.goto('/usage/credits?kind=GRANT')
  await page.getByTestId('credit-day').getByRole('button').click()
  await expect(page.getByTestId('credit-entry')).toHaveCount(2)
  expect(rowsOf(await download(page, 'Download CSV')).map((row) => row['Entry ID'])).toEqual(
    [entries[0], entries.at(-1)].map((entry) => entry?.id),
  )
})

test('acceptance 10: a download that is cancelled leaves no file @long', async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  await chat((await owner.newExport(agent.id)).apiKey, 'Hello', 's-1')
  let asked = 0
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('ConversationsToSave')) return route.continue()
    asked++ // and never answered
  })
  const files: unknown[] = []
  page.on('download', (file) => files.push(file))
  await page.goto('/activity/conversations')
  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByRole('menuitem', { name: 'Download CSV' }).click()
  await expect(page.getByRole('progressbar', { name: 'Download progress' })).toBeAttached()
  await expect.poll(() => asked).toBe(1)
  await page.getByRole('button', { name: 'Cancel download' }).click()
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  expect(files).toEqual([])
})
