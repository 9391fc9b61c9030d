import type { Locator, Page } from '@playwright/test'
import { expectUnturned, turningName } from './support/direction'
import { chat, type Owner } from './support/owner'
import { replyWith } from './support/replies'
import { expect, long, test } from './support/test'

const day = 24 * 3_600_000
const hebrew = '\u05E9\u05DC\u05D5\u05DD, \u05DE\u05D4 \u05E9\u05DC\u05D5\u05DE\u05DA?'
const arabic = '\u0645\u0631\u062D\u0628\u0627 \u0628\u0643\u0645!'

const part = (page: Page, number: number, name: 'Message' | 'Reply') =>
  page.getByRole('article', { name: `Turn ${number}`, exact: true }).getByRole('group', { name })

/** At which side of its block a text stands. */
const sideOf = (block: Locator) =>
  block.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const [box, text] = [element.getBoundingClientRect(), range.getBoundingClientRect()]
    const [left, right] = [text.left - box.left, box.right - text.right]
    return Math.abs(left - right) < 1 ? 'both' : left < right ? 'left' : 'right'
  })

async function conversationWith(owner: Owner, messages: string[], names = { agent: 'Order desk', session: 'shop-7' }) {
  const agent = await owner.newAgent({ name: names.agent })
  const exported = await owner.newExport(agent.id, names.agent)
  for (const message of messages)
    expect((await chat(exported.apiKey, message, names.session, { user_id: names.session })).status).toBe(200)
  const query = 'query($id: ID!) { agent(id: $id) { conversations(first: 1) { nodes { id } } } }'
  type Found = { agent: { conversations: { nodes: { id: string }[] } } }
  const found = await owner.gql<Found>(query, { id: agent.id })
  return { agent: agent.id, exported: exported.id, conversation: found.agent.conversations.nodes[0]?.id ?? '' }
}

test('a message and its reply are shown as they were written, and copied as they were sent @long', async ({
  strictPage: page,
  newOwner,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const owner = await newOwner()
  const message = '5~10 EUR and 20~30\nC:\\new **bold** \\\nlast  line'
  const { agent, conversation } = await conversationWith(owner, [message])
  await replyWith(page, message)
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const shown = async (asked: Locator, reply: Locator) => {
    for (const side of [asked, reply]) {
      await expect(side).toContainText('5~10 EUR and 20~30')
      await expect(side.locator('del')).toHaveCount(0)
      expect(await side.evaluate((element) => (element as HTMLElement).innerText)).toMatch(/30\nC:\\new .*bold.*\nlast/)
    }
    await expect(reply.locator('strong')).toHaveText('bold')
  }
  await page.goto(`/activity/conversations/${conversation}`)
  const asked = part(page, 1, 'Message')
  const replied = part(page, 1, 'Reply')
  await shown(asked, replied)
  const choose = async (item: Locator) => {
    await page.getByRole('button', { name: 'Actions for turn 1' }).click()
    await item.click()
  }
  await choose(page.getByRole('menuitemcheckbox', { name: 'Raw' }))
  await expect(replied).toContainText('**bold**')
  await choose(page.getByRole('menuitem', { name: 'Copy', exact: true }))
  await expect(page.getByRole('menuitem', { name: 'Copied' })).toBeVisible()
  expect(await copied()).toBe(message)
  await page.keyboard.press('Escape')
  const ofAsked = asked.locator('..')
  await ofAsked.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(ofAsked.getByRole('button', { name: 'Copied' })).toBeVisible()
  await page.goto('/activity/requests')
  await page.locator('tbody a').first().click()
  const detail = page.getByRole('complementary')
  const sent = detail.getByRole('group', { name: 'Message' })
  const received = detail.getByRole('group', { name: 'Reply' })
  await shown(sent, received)
  await received.getByRole('button', { name: 'Raw' }).click()
  await expect(received).toContainText('**bold**')
  for (const side of [received, sent]) {
    await side.getByRole('button', { name: 'Copy', exact: true }).last().click()
    await expect(side.getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await copied()).toBe(message)
  }

  await page.goto(`/agents/${agent}?try=window`)
  await page.getByLabel('Message', { exact: true }).fill(message)
  await page.getByRole('button', { name: 'Send' }).click()
  const entry = page.getByRole('article', { name: 'Message and reply' })
  const reply = entry.getByRole('group', { name: 'Agent:' })
  await shown(entry.getByRole('group', { name: 'You:' }), reply)
  await entry.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Raw' }).click()
  await expect(reply).toContainText('**bold**')
  await entry.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Copy' }).click()
  await expect(page.getByRole('menuitem', { name: 'Copied' })).toBeVisible()
  expect(await copied()).toBe(message)
})

test(
  'each block of a text runs in its own direction, and a link as it was written',
  long,
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const blocks = `Hello!\n\n${hebrew}\n\n- ${arabic}\n- ok\n\n\u202Eturned [a long name](https://example.com) on`
    const { agent, conversation } = await conversationWith(owner, [`${hebrew}\nThis is a longer line in English.`])
    await replyWith(page, blocks)
    await page.goto(`/activity/conversations/${conversation}`)

    const message = part(page, 1, 'Message').getByText(hebrew)
    expect(await message.evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe('plaintext')
    expect(
      await message.evaluate((element) => {
        const range = document.createRange()
        range.setStart(element.firstChild as Node, 0)
        range.setEnd(element.firstChild as Node, 4)
        return element.getBoundingClientRect().right - range.getBoundingClientRect().right < 1
      }),
      'the Hebrew line begins at the right',
    ).toBe(true)

    await runs(part(page, 1, 'Reply'))
    await page.goto('/activity/requests')
    await page.locator('tbody a').first().click()
    await runs(page.getByRole('complementary').getByRole('group', { name: 'Reply' }))
    await page.goto(`/agents/${agent}?try=window`)
    await page.getByLabel('Message', { exact: true }).fill(hebrew)
    await page.getByRole('button', { name: 'Send' }).click()
    await runs(page.getByRole('group', { name: 'Agent:' }))
  },
)

/** Looks at a reply of such blocks: each runs in the direction of its own text. */
async function runs(reply: Locator) {
  expect(await sideOf(reply.locator('p').first())).not.toBe('right')
  expect(await sideOf(reply.getByText(hebrew))).toBe('right')
  expect(await sideOf(reply.getByRole('listitem').first())).toBe('right')
  expect(await reply.getByRole('list').evaluate((list) => getComputedStyle(list).direction)).toBe('rtl')
  const order = await reply.getByRole('link').evaluate((link) => {
    const left = (at: number) => {
      const range = document.createRange()
      range.setStart(link.firstChild as Node, at)
      range.setEnd(link.firstChild as Node, at + 1)
      return range.getBoundingClientRect().left
    }
    return left(0) < left(5)
  })
  expect(order, 'the link reads from left to right').toBe(true)
}

test('acceptance 11: a name never turns what stands after it @long', async ({ strictPage: page, newOwner }) => {
  test.slow()
  const owner = await newOwner({ name: turningName('Account') })
  const names = { agent: turningName('Agent'), session: turningName('Session') }
  const { agent, exported, conversation } = await conversationWith(owner, [turningName('Message')], names)
  const pages: [string, () => Locator][] = [
    ['/', () => page.getByRole('heading', { name: 'Latest conversations' })],
    ['/agents', () => page.getByRole('row').nth(1)],
    ['/activity/conversations', () => page.getByRole('row').nth(1)],
    [`/activity/conversations/${conversation}`, () => page.getByRole('article').first()],
    [`/agents/${agent}/activity/conversations`, () => page.getByRole('row').nth(1)],
    [`/agents/${agent}?try=window`, () => page.getByLabel('Message', { exact: true })],
    [`/agents/${agent}/versions?open=1`, () => page.getByRole('region', { name: 'Content of version 1' })],
    [`/agents/${agent}/channels`, () => page.getByRole('row').nth(1)],
    [`/exports/${exported}`, () => page.getByRole('row').nth(1)],
    ['/activity/requests', () => page.locator('[data-row]').first()],
    ['/exports', () => page.getByRole('row').nth(1)],
    ['/usage', () => page.getByRole('row').nth(1)],
    [`/usage/credits?open=${new Date().toISOString().slice(0, 10)}`, () => page.getByTestId('credit-entry').first()],
    ['/settings', () => page.getByRole('heading', { level: 1 })],
  ]
  for (const [address, ready] of pages) {
    await page.goto(address)
    await ready().waitFor()
    await expectUnturned(page)
  }
})

test('a browser whose clock is behind says when it was, by the clock of the server @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const { exported } = await conversationWith(owner, ['Hello'])
  await page.clock.setSystemTime(Date.now() - 57 * 60_000)
  await page.goto('/activity/conversations')
  const time = page.getByRole('row').nth(1).locator('time')
  await expect(time).toHaveText('now')
  await page.clock.setSystemTime(Date.now() + 57 * 60_000)
  await page.reload()
  await expect(time).toHaveText('now')

  // Times to come and ranges of days are counted by it, too.
  await page.clock.setSystemTime(Date.now() + 40 * day)
  await page.goto(`/exports/${exported}`)
  await page.getByRole('button', { name: 'Replace key' }).click()
  await page.getByRole('radio', { name: 'In 24 hours' }).click()
  await page.getByRole('button', { name: 'Create new key' }).click()
  await page.getByRole('button', { name: 'I’ve saved the key' }).click()
  const query = 'query($id: ID!) { node(id: $id) { ... on ApiExport { keys { stopsAt } } } }'
  type Found = { node: { keys: { stopsAt: string | null }[] } }
  const { keys } = (await owner.gql<Found>(query, { id: exported })).node
  expect(Math.abs(Date.parse(keys[1]?.stopsAt ?? '') - Date.now() - day)).toBeLessThan(60_000)
  await page.goto('/usage')
  await expect(page.getByRole('heading', { name: '0 credits for 1 message' })).toBeVisible()
})
