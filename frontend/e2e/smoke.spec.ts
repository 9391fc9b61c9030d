import { expect, signIn, test } from './support/test'

test('sign in and come to the agents that were asked for', async ({ strictPage: page }) => {
  await page.goto('/agents?state=LIVE')
  await expect(page).toHaveURL(/\/login\?next=/)
  await signIn(page)
  await expect(page).toHaveURL(/\/agents\?state=LIVE$/)
  await expect(page.getByRole('heading', { name: 'Agents', level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Demo assistant', exact: true })).toBeVisible()
  await expect(page.getByTestId('credit-chip')).toHaveText(/\d/)

  // The sign-in outlives the page: its refresh cookie brings a new token.
  await page.reload()
  await expect(page.getByRole('link', { name: 'Demo assistant', exact: true })).toBeVisible()
})
