import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { fromMenu } from './support/menu'
import { chat } from './support/owner'
import { expect, test } from './support/test'

const say = (apiKey: string, userId: string, sessionId: string) => chat(apiKey, 'Hello', sessionId, { user_id: userId })

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

test('a daily limit refuses callers once it is used up, and the panel says until when @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', model: 'sandbox/assistant' })
  const { id, apiKey } = await owner.newExport(agent.id, 'Till')
  await page.goto(`/exports/${id}`)
  await expect(page.getByText('0 credits today')).toBeVisible()
  await page.getByRole('button', { name: 'Edit “Till”' }).click()
  const form = page.getByRole('dialog', { name: 'Edit “Till”' })
  await form.getByLabel('Credits per day (UTC)').fill('2')
  await form.getByRole('switch', { name: 'Require a user_id' }).click()
  await expect(form.getByRole('switch', { name: 'Require a user_id' })).toBeChecked()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('0 of 2 credits today')).toBeVisible()
  await expect(page.getByText('user_id required')).toBeVisible()

  expect((await chat(apiKey, 'Hello')).status).toBe(400)
  expect((await say(apiKey, 'alice', 'first')).status).toBe(200)
  expect((await say(apiKey, 'bob', 'second')).status).toBe(200)
  const refused = await say(apiKey, 'alice', 'first')
  expect([refused.status, refused.body.error?.code]).toEqual([402, 'limit_reached'])

  await page.reload()
  await expect(page.getByText('2 of 2 credits today')).toBeVisible()
  await expect(page.getByText(/^Daily limit reached\. Requests fail with limit_reached until 00:00 UTC/)).toBeVisible()
  await expect(page.getByText(/^Resets/)).toContainText(/Resets (now|in \d+ (minutes?|hours?))/)
  await page.goto('/exports')
  await expect(page.getByRole('row').filter({ hasText: 'Till' })).toContainText(/2 of 2\s*today/)

  // The next message passes once the limit is gone.
  await page.goto(`/exports/${id}`)
  await page.getByRole('button', { name: 'Edit “Till”' }).click()
  await form.getByLabel('Credits per day (UTC)').fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('2 credits today')).toBeVisible()
  await expect(page.getByText(/^Daily limit reached/)).toHaveCount(0)
  expect((await say(apiKey, 'alice', 'first')).status).toBe(200)
})

test('a person is listed with their use, blocked, limited, downloaded and erased @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', model: 'sandbox/assistant' })
  const other = await owner.newAgent({ name: 'Help desk', model: 'sandbox/assistant' })
  const { apiKey } = await owner.newExport(agent.id, 'Till')
  const { apiKey: elsewhere } = await owner.newExport(other.id, 'Kiosk')
  const alice = 'alice/7 & co'
  await page.goto('/activity/people?time=all')
  await expect(page.getByText('No users yet')).toBeVisible()
  for (const [user, session] of [
    [alice, 'order-1'],
    [alice, 'order-1'],
    [alice, 'order-2'],
    ['bob', 'order-3'],
  ] as const) {
    expect((await say(apiKey, user, session)).status).toBe(200)
  }
  expect((await say(elsewhere, alice, 'order-1')).status).toBe(200)

  // Everybody of the account, and those of an agent at their old address.
  await page.reload()
  const row = page.getByRole('row').filter({ hasText: alice })
  const seen = /now|second|minute/
  await expect(row.getByRole('cell')).toHaveText([alice, '4', '4', '', seen])
  await page.goto(`/agents/${agent.id}/end-users?search=LIC`)
  await expect(page).toHaveURL(new RegExp(`/agents/${agent.id}/activity/people\\?search=LIC$`))
  await expect(row.getByRole('cell')).toHaveText([alice, '3', '3', '', seen])
  await expect(link(page, 'bob')).toHaveCount(0)

  // Blocked at once.
  await link(page, alice).click()
  await expect(page.getByText('order-2')).toBeVisible()
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Unblock' })).toBeVisible()
  const refused = await say(apiKey, alice, 'order-1')
  expect([refused.status, refused.body.error?.code]).toEqual([403, 'user_blocked'])
  expect((await say(apiKey, 'bob', 'order-3')).status).toBe(200)
  await page.getByRole('button', { name: 'Unblock' }).click()
  await expect(page.getByRole('button', { name: 'Block', exact: true })).toBeVisible()

  // A limit of their own, which counts what was sent today.
  await page.getByLabel('Messages per day (UTC)').fill('5')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('4 of 5', { exact: true })).toBeVisible()
  expect((await say(elsewhere, alice, 'order-1')).status).toBe(200)
  const over = await say(apiKey, alice, 'order-1')
  expect([over.status, over.body.error?.code]).toEqual([402, 'limit_reached'])

  // Everything about them: what they may, their requests, their messages.
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download JSONL' }).click()
  const text = await readFile(await (await saved).path(), 'utf8')
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const count = (type: string) => lines.filter((line) => line.type === type).length
  expect([count('person'), count('message')]).toEqual([1, 5])
  expect(count('request')).toBeGreaterThanOrEqual(5)
  expect(lines[0]).toMatchObject({ userId: alice, dailyMessageLimit: 5, messagesToday: 5 })

  // A mention of them leads to their page.
  await link(page, 'order-2').click()
  await link(page, alice).click()
  await expect(page).toHaveURL(/\/people\/person\?id=alice/)

  await fromMenu(page, 'Erase…')
  const question = page.getByRole('dialog', { name: `Erase user “${alice}”?` })
  await expect(question).toContainText('Credit history is kept.')
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await question.getByRole('button', { name: 'Erase user' }).click()
  await expect(page.getByText('3 conversations erased')).toBeVisible()
  await expect(page).toHaveURL(/\/people$/)
  await expect(link(page, 'bob')).toBeVisible()
  await expect(link(page, alice)).toHaveCount(0)
  const still = await say(apiKey, alice, 'new')
  expect([still.status, still.body.error?.code]).toEqual([402, 'limit_reached'])
})
