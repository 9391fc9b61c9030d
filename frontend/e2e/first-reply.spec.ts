import { randomUUID } from 'node:crypto'
import { expect, test } from './support/test'

test('from signing up to a first reply @long', async ({ strictPage: page }) => {
  await page.goto('/signup')
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('Email').fill(`ada-${randomUUID()}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('a long enough password')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible()
  await page.getByRole('button', { name: 'Create agent: Customer support' }).click()
  await expect(page.getByRole('heading', { name: 'Customer support', level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toBeEnabled()
  await page.getByLabel('Message', { exact: true }).fill('Hello')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article')).toContainText('This is turn 1 of our conversation.')
  await page.goto('/')
  await expect(page.getByRole('listitem').filter({ hasText: 'Create an agent' })).toContainText('(done)')
  await expect(page.getByRole('listitem').filter({ hasText: 'Publish it' })).not.toContainText('(done)')
})
