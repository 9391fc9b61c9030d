import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { crawl, type Link, missed, told } from './support/crawl'
import type { Owner } from './support/owner'
import { expect, long, test } from './support/test'
import { type Filled, workingDay } from './support/workingDay'

const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
// The least data that has everything, because following the links takes the time.
const size = { agents: 4, exports: 9, people: 5, calls: 16, days: 2 }

test('acceptance 22: every link leads to what it names', long, async ({ strictPage: page, newOwner }) => {
  test.setTimeout(600_000)
  process.stdout.write(`SEED=${seed}\n`)
  const owner = await newOwner({ credits: 10_000 })
  const filled = await workingDay(owner, { seed, size })
  const names = await namesOf(owner, filled)
  const come = await crawl(page, (link) => expectThat(page, link, names))
  expect(missed(come), 'routes to which no link leads').toEqual([])
})

/** The name that the page of each id must show. */
async function namesOf(owner: Owner, { agents, exports, people }: Filled): Promise<Map<string, string>> {
  type Found = { viewer: { conversations: { nodes: { id: string; sessionId: string; userId: string | null }[] } } }
  const { viewer } = await owner.gql<Found>(
    'query { viewer { conversations(first: 100) { nodes { id sessionId userId } } } }',
  )
  return new Map([
    ...[...agents, ...exports].map(({ id, name }) => [id, name] as const),
    ...people.map((person) => [person, person] as const),
    ...viewer.conversations.nodes.map(({ id, sessionId, userId }) => [id, userId ?? sessionId] as const),
  ])
}

async function expectThat(page: Page, link: Link, names: Map<string, string>) {
  const { pathname, searchParams: search } = new URL(link.address, 'http://panel')
  await expect(
    page.getByText(/^(Agent|API export|Conversation|Page|Request|User|Webhook) not found$/),
    told(link),
  ).toHaveCount(0)
  // The page of a thing has its name as the heading; a list of what belongs to it names it in the filter.
  const own = names.get(
    pathname === '/activity/people/person' ? (search.get('id') ?? '') : (/[0-9a-f-]{36}/.exec(pathname)?.[0] ?? ''),
  )
  const heading = page.getByRole('heading', { level: pathname.startsWith('/activity/conversations/') ? 2 : 1 })
  if (own) await expect(heading.first(), told(link)).toContainText(own)
  // These views keep the filter by export for Requests, and do not apply it.
  if (/\/activity\/(conversations|people)/.test(pathname)) search.delete('exportId')
  for (const value of [...search.values(), link.text]) {
    const name = names.get(value) ?? ([...names.values()].includes(value) ? value : undefined)
    if (name) await expect.poll(() => page.evaluate(readable), told(link)).toContain(name)
  }
  if (search.has('open'))
    await expect(page.getByRole('region', { name: `Content of version ${search.get('open')}` })).toBeVisible()
  if (search.has('continue')) await expect(page.getByText(/Continues from turn/)).toBeVisible()
  if (pathname === '/activity/requests' && search.has('id')) {
    await expect(page.getByRole('button', { name: 'Copy the request ID' }), told(link)).toBeVisible()
  }
}

/** Runs in the page and returns all its text, including that of its fields. */
const readable = () =>
  [document.body.innerText, ...[...document.querySelectorAll('input')].map(({ value }) => value)].join('\n')
