import type { Page } from '@playwright/test'
import type { Owner } from './support/owner'
import { expect, test } from './support/test'
import { trouble } from './support/trouble'

const figure = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })

/** What the service has counted in the last 24 hours. */
async function usageOf(owner: Owner) {
  const hour = 3_600_000
  const filter = {
    from: new Date(Date.now() - 24 * hour).toISOString(),
    to: new Date(Date.now() + hour).toISOString(),
  }
  const { viewer } = await owner.gql<{ viewer: { usage: [Record<string, number>] } }>(
    'query($filter: UsageFilter!) { viewer { usage(filter: $filter, groupBy: []) { messages failed refused credits } } }',
    { filter },
  )
  return viewer.usage[0]
}

test('Home answers the daily questions, with figures that lead to the requests behind them @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const { returns } = await trouble(owner)
  // Refused requests are recorded within seconds.
  await expect.poll(() => usageOf(owner)).toMatchObject({ messages: 6, failed: 3, refused: 2, credits: 6 })
  await page.goto('/')
  await expect(figure(page, 'Messages')).toHaveText('Messages6')
  await expect(figure(page, 'Success rate')).toHaveText('Success rate66.6%')
  await expect(figure(page, 'Credits left')).toHaveText('Credits left94')

  // Is it working?
  await figure(page, 'Success rate').click()
  await expect(page).toHaveURL(/\/activity\/requests\?outcome=FAILED$/)
  await expect(page.getByText('3 requests', { exact: true })).toBeVisible()
  await page.goBack()
  await page
    .getByRole('region', { name: /^Needs attention/ })
    .getByRole('link', { name: /^75% of requests to Returns are failing/ })
    .click()
  await expect(page).toHaveURL(new RegExp(`agentId=${returns.id}`))
  await expect(page.getByText('3 requests', { exact: true })).toBeVisible()
  await page.goBack()
  // What does it cost?
  await figure(page, 'Messages').click()
  await expect(page.getByRole('heading', { name: '6 messages', exact: true })).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Order desk' })).toContainText('83.3%')
  await page.goBack()
  await figure(page, 'Credits left').click()
  await expect(page.getByTestId('balance')).toHaveText('94 credits')
  await page.goBack()
  // What has changed?
  await page
    .getByRole('region', { name: /^Most used agents/ })
    .getByRole('link', { name: 'Order desk' })
    .click()
  await page.getByRole('link', { name: 'Versions', exact: true }).click()
  await expect(page.getByText('Version 1').first()).toBeVisible()
  await page.goto('/')
  // What do people say?
  await page.getByRole('link', { name: 'All conversations' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'My parcel is broken' })).toBeVisible()
  const words = page.getByRole('searchbox', { name: 'Text' })
  await words.fill('broken')
  await words.press('Enter')
  await expect(page.getByRole('status').getByText(/^1 result/)).toBeVisible()
  await expect(page.locator('mark')).toHaveText(Array(3).fill('broken'))
})
