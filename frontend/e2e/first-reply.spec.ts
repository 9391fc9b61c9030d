import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, full, test } from './support/test'

test('from signing up to a first reply', async ({ strictPage: page }) => {
  await page.goto('/signup')
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('E-mail address').fill(`ada-${randomUUID()}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('a long enough password')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible()
  await firstReply(page, 'Customer support')
  await page.goto('/')
  await expect(page.getByRole('listitem').filter({ hasText: 'Create an agent' })).toContainText('(done)')
  await expect(page.getByRole('listitem').filter({ hasText: 'Try it' })).toContainText('(done)')
  await expect(page.getByRole('listitem').filter({ hasText: 'Create an API export' })).not.toContainText('(done)')
})

for (const name of ['Frequently asked questions', 'Booking assistant']) {
  test(`an agent from the template “${name}” answers immediately`, full(), async ({ strictPage: page, newOwner }) => {
    await newOwner()
    await page.goto('/')
    await firstReply(page, name)
  })
}

/** From the home page of an account without agents to the first reply of a starter agent. */
async function firstReply(page: Page, name: string) {
  await page.getByRole('button', { name: `Create agent: ${name}` }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  await expect(page.getByText('Nothing is missing. Publish the agent to let it answer callers.')).toBeVisible()
  await page.getByRole('link', { name: 'Playground' }).click()
  await page.getByLabel('Message', { exact: true }).fill('Hello')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article')).toContainText('This is turn 1 of our conversation.')
}
