import type { Page } from '@playwright/test'
import { chat } from './support/owner'
import { expect, test } from './support/test'

const say = (apiKey: string, userId: string, sessionId: string) => chat(apiKey, 'Hello', sessionId, { user_id: userId })

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

test('a daily limit refuses callers once it is used up, and the panel says until when', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', model: 'sandbox/assistant' })
  const { id, apiKey } = await owner.newExport(agent.id, 'Till')
  await page.goto(`/exports/${id}`)
  await expect(page.getByText('0 credits today')).toBeVisible()
  await page.getByRole('button', { name: 'Edit “Till”' }).click()
  const form = page.getByRole('form', { name: 'Edit “Till”' })
  await form.getByLabel('Credits per day (UTC)').fill('2')
  await form.getByRole('switch', { name: 'Every message needs a user_id' }).click()
  await expect(form.getByRole('switch', { name: 'Every message needs a user_id' })).toBeChecked()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('0 of 2 credits today')).toBeVisible()
  await expect(page.getByText('Every message needs a user_id')).toBeVisible()

  expect((await chat(apiKey, 'Hello')).status).toBe(400)
  expect((await say(apiKey, 'alice', 'first')).status).toBe(200)
  expect((await say(apiKey, 'bob', 'second')).status).toBe(200)
  const refused = await say(apiKey, 'alice', 'first')
  expect([refused.status, refused.body.error?.code]).toEqual([402, 'limit_reached'])

  await page.reload()
  await expect(page.getByText('2 of 2 credits today')).toBeVisible()
  await expect(page.getByText(/^The daily limit is reached\. Callers get limit_reached until 00:00 UTC/)).toBeVisible()
  await expect(page.getByText(/^Starts again/)).toContainText(/Starts again (now|in \d+ (minutes?|hours?))/)
  await page.goto('/exports')
  await expect(page.getByRole('row').filter({ hasText: 'Till' })).toContainText('2 of 2 credits today')

  // The next message passes once the limit is gone.
  await page.goto(`/exports/${id}`)
  await page.getByRole('button', { name: 'Edit “Till”' }).click()
  await form.getByLabel('Credits per day (UTC)').fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('2 credits today')).toBeVisible()
  await expect(page.getByText(/^The daily limit is reached/)).toHaveCount(0)
  expect((await say(apiKey, 'alice', 'first')).status).toBe(200)
})

test('an end user is listed with their use, and erased with all conversations', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', model: 'sandbox/assistant' })
  const other = await owner.newAgent({ name: 'Help desk', model: 'sandbox/assistant' })
  const { apiKey } = await owner.newExport(agent.id, 'Till')
  const { apiKey: elsewhere } = await owner.newExport(other.id, 'Kiosk')
  await page.goto(`/agents/${agent.id}`)
  await page.getByRole('link', { name: 'End users' }).click()
  await expect(page.getByText('No end users yet')).toBeVisible()
  for (const [user, session] of [
    ['alice', 'order-1'],
    ['alice', 'order-1'],
    ['alice', 'order-2'],
    ['bob', 'order-3'],
  ] as const) {
    expect((await say(apiKey, user, session)).status).toBe(200)
  }
  expect((await say(elsewhere, 'alice', 'order-1')).status).toBe(200)

  await page.reload()
  const row = page.getByRole('row').filter({ hasText: 'alice' })
  await expect(row.getByRole('cell')).toHaveText(['alice', /now|second|minute/, '3', '3', '2', 'Erase'])
  await page.getByLabel('User ID').fill('LIC')
  await expect(link(page, 'bob')).toHaveCount(0)
  await expect(page).toHaveURL(/\/end-users\?search=LIC$/)
  await page.getByLabel('User ID').fill('')
  await expect(link(page, 'bob')).toBeVisible()

  // Their conversations, and from one of them back to all.
  await link(page, 'alice').click()
  await expect(page).toHaveURL(/\/conversations\?userId=alice$/)
  await expect(page.getByText('2 conversations')).toBeVisible()
  await expect(link(page, 'order-3')).toHaveCount(0)
  await link(page, 'order-2').click()
  await link(page, 'alice').click()
  await expect(page).toHaveURL(/\/conversations\?userId=alice$/)

  await page.getByRole('link', { name: 'End users' }).click()
  await page.getByRole('button', { name: 'Erase “alice”' }).click()
  const question = page.getByRole('dialog', { name: 'Erase end user “alice”?' })
  await expect(question).toContainText('Your credit history is kept.')
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(question.getByRole('radio', { name: 'Only those with the agent Order desk' })).toBeChecked()
  await question.getByRole('button', { name: 'Erase end user' }).click()
  await expect(page.getByText('2 conversations erased')).toBeVisible()
  await expect(link(page, 'alice')).toHaveCount(0)
  await expect(link(page, 'bob')).toBeVisible()
  await expect(page.getByRole('region', { name: 'List of end users' })).toBeFocused()
  await page.goto(`/agents/${agent.id}/conversations`)
  await expect(link(page, 'order-3')).toBeVisible()
  await expect(page.getByText('1 conversation', { exact: true })).toBeVisible()

  // The other agent still knows her, until she is erased there too.
  await page.goto(`/agents/${other.id}/end-users`)
  await page.getByRole('button', { name: 'Erase “alice”' }).click()
  await question.getByRole('radio', { name: 'Those with any agent of this account' }).check()
  await question.getByRole('button', { name: 'Erase end user' }).click()
  await expect(page.getByText('No end users yet')).toBeVisible()
})
