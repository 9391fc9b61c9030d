import { chat } from './support/owner'
import { expect, signIn, test } from './support/test'

test('sign in and come to the agents that were asked for', async ({ strictPage: page }) => {
  await page.goto('/agents?state=LIVE')
  await expect(page).toHaveURL(/\/login\?next=/)
  await signIn(page)
  await expect(page).toHaveURL(/\/agents\?state=LIVE$/)
  await expect(page.getByRole('heading', { name: 'Agents', level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Demo assistant' })).toBeVisible()
  await expect(page.getByTestId('credit-chip')).toHaveText(/\d/)

  // The sign-in outlives the page: its refresh cookie brings a new token.
  await page.reload()
  await expect(page.getByRole('link', { name: 'Demo assistant' })).toBeVisible()
})

test('an account sees its own agents only', async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk' })
  const { apiKey } = await owner.newExport(agent.id)
  expect((await chat(apiKey, 'Hello')).status).toBe(200)
  await page.goto('/agents')
  await expect(page.getByRole('link', { name: 'Order desk' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Demo assistant' })).toHaveCount(0)
})
