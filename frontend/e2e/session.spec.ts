import type { Page } from '@playwright/test'
import { operationsOf } from './support/operations'
import { expect, signIn, test } from './support/test'

/** Notes the GraphQL operations that a page sends. */
function operations(page: Page): string[] {
  const seen: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql')) seen.push(...operationsOf(request))
  })
  return seen
}

const renewals = (seen: string[]) => seen.filter((name) => name === 'RenewAccess').length

/** What a reader's coming back to the window does: everything on the page is asked for again. */
const comeBack = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))

async function openCredits(page: Page) {
  await page.goto('/usage/credits?kind=GRANT')
  await expect(page.getByTestId('credit-day').first()).toBeVisible()
}

test('acceptance 15: requests whose token the service refuses make one renewal @long', async ({ page, newOwner }) => {
  await newOwner()
  await page.clock.install()
  await openCredits(page)
  const first = page.waitForRequest((request) => operationsOf(request).includes('Viewer'))
  await page.clock.fastForward(16_000)
  const { authorization = '' } = (await first).headers()
  expect(authorization).toMatch(/^Bearer ./)
  // A token that is renewed within the second of its issue is the same token.
  const { iat } = JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString()) as { iat: number }
  await expect.poll(() => Date.now() / 1000).toBeGreaterThan(iat + 1)

  // The network spoils the token that is in use; the service itself refuses it.
  const refused: string[] = []
  const renewed: string[] = [] // sent with a token that came after it
  await page.route('**/graphql', async (route) => {
    const headers = route.request().headers()
    const names = operationsOf(route.request())
    if (headers.authorization !== authorization) {
      if (headers.authorization) renewed.push(...names)
      return route.continue()
    }
    refused.push(...names)
    await route.continue({ headers: { ...headers, authorization: `${authorization}x` } })
  })
  const seen = operations(page)
  await page.clock.fastForward(16_000)
  await comeBack(page)
  await expect.poll(() => refused.length).toBeGreaterThanOrEqual(2)
  const repeated = () => refused.every((name) => renewed.includes(name))
  await expect.poll(repeated).toBe(true)
  expect(renewals(seen)).toBe(1)
  await expect(page.getByTestId('credit-day').first()).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('acceptance 15: a refused renewal leads to sign-in and back to the same address @long', async ({
  page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  await owner.sendTestMessage(agent.id, 'Hello', 'desk 1')
  const address = `/agents/${agent.id}/activity/conversations?source=PLAYGROUND&search=desk+1`
  await page.clock.install()
  await page.goto(address)
  await expect(page.getByRole('link', { name: 'desk 1' })).toBeVisible()
  await expect(page.getByTestId('credit-chip')).toHaveText(/\d/)
  const seen = operations(page)
  await owner.gql('mutation { signOutEverywhere { ok } }')
  await page.clock.fastForward(16_000) // the balance is asked for
  await expect(page).toHaveURL(/\/login\?next=/)
  expect(renewals(seen)).toBe(1)
  await expect(page.getByText('desk 1')).toHaveCount(0)
  await signIn(page, owner.account)
  await expect(page).toHaveURL(address)
  await expect(page.getByRole('link', { name: 'desk 1' })).toBeVisible()
  await expect(page.getByPlaceholder('ID contains…')).toHaveValue('desk 1')
  // The way over the sign-in page is no part of the history.
  await page.reload()
  await expect(page.getByRole('link', { name: 'desk 1' })).toBeVisible()
})
