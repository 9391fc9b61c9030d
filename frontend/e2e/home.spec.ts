import type { Page } from '@playwright/test'
import type { Owner } from './support/owner'
import { expect, full, test } from './support/test'
import { trouble } from './support/trouble'

const figure = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })
const attention = (page: Page) => page.getByRole('region', { name: /^Needs attention/ }).getByRole('listitem')

type Counted = { messages: number; failed: number; refused: number; credits: number }

/** What the service has counted in the last 24 hours. */
async function usageOf(owner: Owner): Promise<Counted> {
  const hour = 3_600_000
  const filter = {
    from: new Date(Date.now() - 24 * hour).toISOString(),
    to: new Date(Date.now() + hour).toISOString(),
  }
  const { viewer } = await owner.gql<{ viewer: { usage: [Counted] } }>(
    'query($filter: UsageFilter!) { viewer { usage(filter: $filter, groupBy: []) { messages failed refused credits } } }',
    { filter },
  )
  return viewer.usage[0]
}

test(
  'the figures of Home agree with the usage, and lead to the calls behind them',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    await trouble(owner)
    // Refused calls are recorded within seconds.
    await expect.poll(() => usageOf(owner)).toMatchObject({ messages: 6, failed: 3, refused: 2, credits: 6 })
    await page.goto('/')
    await expect(figure(page, 'Messages')).toHaveText('Messages6None the day before')
    await expect(figure(page, 'Success rate')).toHaveText('Success rate66.6%3 failed, 2 refused')
    await expect(figure(page, 'Time to reply')).toHaveText(/^Time to reply[\d.]+m?s median[\d.]+ m?s p95$/)
    await expect(figure(page, 'Credits left')).toHaveText(/^Credits left94about 109 days6 used$/)

    await figure(page, 'Success rate').click()
    await expect(page).toHaveURL(/\/requests\?outcome=FAILED$/)
    await expect(page.getByText('3 requests', { exact: true })).toBeVisible()
    await page.goBack()
    await figure(page, 'Messages').click()
    await expect(page).toHaveURL(/\/usage\?range=24h$/)
    await expect(page.getByText('credits, 6 messages')).toBeVisible()
    await page.goBack()
    await figure(page, 'Credits left').click()
    await expect(page.getByTestId('available')).toHaveText('94 credits')
  },
)

test(
  'what needs attention is told worst first, and leads to the page where it is put right',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const { desk, returns, till, portal } = await trouble(owner)
    const change = 'mutation($input: UpdateApiExportInput!) { updateApiExport(input: $input) { export { id } } }'
    await owner.gql(change, { input: { id: till.id, dailyCreditLimit: 6 } })
    await owner.gql(change, {
      input: { id: portal.id, expiresAt: new Date(Date.now() + 50 * 3_600_000).toISOString() },
    })
    await owner.change(desk.id, { instructions: 'Be brief.' })
    await page.goto('/')
    await expect(attention(page)).toHaveText([
      /^Returns fails 75 % of its calls3 of 4 in the last hour · model_error/,
      /^Till has used 83 % of its credits for today5 of 6 today \(UTC\)/,
      /^Portal expires in 2 days/,
      /^Order desk has unpublished changesCallers get version 1/,
    ])

    await attention(page).nth(0).getByRole('link').click()
    await expect(page).toHaveURL(new RegExp(`agentId=${returns.id}`))
    await expect(page.getByText('3 requests', { exact: true })).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Agent' })).toHaveValue('Returns')
    await page.goto('/')
    await attention(page).nth(1).getByRole('link').click()
    await expect(page.getByRole('dialog', { name: 'Channels' }).getByText('Till')).toBeVisible()
    await page.goto('/')
    await attention(page).nth(3).getByRole('link').click()
    await expect(page.getByRole('button', { name: 'Publish' })).toBeVisible()

    // Nothing is left to say about the agent as soon as it is published.
    await page.goto('/')
    await expect(attention(page)).toHaveCount(4)
    await owner.publish(desk.id)
    await expect(attention(page)).toHaveCount(3)
  },
)

test(
  'a message in another window shows within 5 s, in the period of the address',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const { desk } = await trouble(owner)
    await page.goto('/')
    await page.getByText('7 days', { exact: true }).click()
    await expect(page).toHaveURL(/\?range=7d$/)
    await page.reload()
    await expect(figure(page, 'Messages')).toHaveText('Messages6None the week before')
    await expect(page.getByText('All is well')).toHaveCount(0)

    const other = await page.context().newPage()
    await other.goto(`/agents/${desk.id}/playground`)
    await other.getByRole('textbox', { name: 'Message', exact: true }).fill('A word from next door')
    await other.keyboard.press('Enter')
    await expect(other.getByText(/^1 credit · /)).toHaveCount(1)
    await expect(figure(page, 'Messages')).toHaveText('Messages7None the week before', { timeout: 5_000 })
    await expect(page.getByText('A word from next door')).toBeVisible({ timeout: 5_000 })
    await expect(page.getByRole('row').filter({ hasText: 'Order desk' })).toContainText('6', { timeout: 5_000 })
  },
)
