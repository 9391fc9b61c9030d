import type { Page } from '@playwright/test'
import { grant, newAccount } from './support/accounts'
import { chat, Owner } from './support/owner'
import { type Service, startService } from './support/service'
import { expect, full, test } from './support/test'

const chip = (page: Page) => page.getByTestId('credit-chip')
const message = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })

/** An owner of another service, in whose panel the page is signed in. */
async function ownerAt(page: Page, service: Service, credits: number) {
  const account = newAccount({ credits }, service)
  const owner = await Owner.signIn(account, service)
  await page.context().addCookies(owner.cookies())
  const agent = await owner.newAgent({ model: 'sandbox/assistant' })
  const { apiKey } = await owner.newExport(agent.id)
  const call = async (status = 200) => {
    const reply = await chat(apiKey, 'Hello', undefined, service)
    expect(reply.status, JSON.stringify(reply.body)).toBe(status)
  }
  return { account, agent, call }
}

test.describe('an operator who is written to', () => {
  const help = 'Write to credits@example.com, or call <b>Ada</b>.'
  let service: Service
  // One service is enough for them.
  test.describe.configure({ mode: 'default' })
  test.beforeAll(async () => {
    test.setTimeout(180_000)
    service = await startService({ CREDITS_HELP: help })
  })
  test.afterAll(() => service.stop())

  test(
    'acceptance 13: without credits the playground says why and what to do, and keeps what is typed',
    full(),
    async ({ page }) => {
      const { account, agent } = await ownerAt(page, service, 1)
      await page.goto(`${service.panel}/agents/${agent.id}/playground`)
      await message(page).fill('The last one')
      await message(page).press('Enter')
      await expect(page.getByText(/^1 credit · /)).toHaveCount(1)
      await expect(chip(page)).toHaveText('0', { timeout: 2_000 })
      const notice = page.getByRole('status').filter({ hasText: 'Not enough credits' })
      await expect(notice).toContainText('A message to this model costs 1 credit. You have 0 available.')
      await expect(notice).toContainText(help)

      await message(page).fill('Typed before there were credits')
      await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
      await message(page).press('Enter')
      await expect(message(page)).toHaveValue('Typed before there were credits')
      await expect(page.getByRole('article', { name: 'Message and reply' })).toHaveCount(1)

      grant(account, 5, 'A top-up', service)
      await expect(chip(page)).toHaveText('5', { timeout: 15_000 })
      await expect(notice).toHaveCount(0)
      await expect(message(page)).toHaveValue('Typed before there were credits')
      await message(page).press('Enter')
      await expect(page.getByText(/^1 credit · /)).toHaveCount(2)
      await expect(chip(page)).toHaveText('4', { timeout: 2_000 })
    },
  )

  test('acceptance 13: a message sent as the last credit was spent elsewhere is kept, and answered after a grant', async ({
    page,
  }) => {
    const { account, agent, call } = await ownerAt(page, service, 1)
    await page.goto(`${service.panel}/agents/${agent.id}/playground`)
    await expect(chip(page)).toHaveText('1')
    await message(page).fill('Sent a moment too late')
    await call()
    await message(page).press('Enter')
    const exchange = page.getByRole('article', { name: 'Message and reply' })
    await expect(exchange).toContainText('The message was not answered')
    await expect(exchange).toContainText('Sent a moment too late')
    await expect(exchange).toContainText(help)
    await expect(chip(page)).toHaveText('0', { timeout: 2_000 })

    grant(account, 3, 'A top-up', service)
    await exchange.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText(/^1 credit · /)).toHaveCount(1)
    await expect(exchange).toHaveCount(1)
    await expect(exchange).toContainText('Sent a moment too late')
    await expect(chip(page)).toHaveText('2', { timeout: 2_000 })
  })
})

test.describe('an operator with a page for it', () => {
  const help = 'https://pay.example.com/credits?for=agents&plan=a%20b'
  let service: Service
  test.beforeAll(async () => {
    test.setTimeout(180_000)
    service = await startService({ CREDITS_HELP: help })
  })
  test.afterAll(() => service.stop())

  test(
    'acceptance 13: low credits are announced, with how long they last, until there are enough again',
    full(),
    async ({ page }) => {
      test.setTimeout(150_000)
      const { account, agent, call } = await ownerAt(page, service, 54)
      await page.goto(`${service.panel}/credits`)
      await expect(page.getByTestId('available')).toHaveText('54 credits')
      const low = page.getByRole('status').filter({ hasText: 'Credits are running low' })
      const none = page.getByRole('status').filter({ hasText: 'No credits left' })
      await expect(low).toHaveCount(0)

      // Seven in a week are one a day.
      for (let turn = 0; turn < 7; turn++) await call()
      await expect(low).toContainText('47 credits are left.', { timeout: 15_000 })
      await expect(low).toContainText('Lasts about 47 days at the rate of the last 7 days.')
      const link = low.getByRole('link', { name: help })
      await expect(link).toHaveAttribute('href', help)
      await expect(link).toHaveAttribute('target', '_blank')
      await expect(link).toHaveAttribute('rel', /noopener/)
      await page.goto(`${service.panel}/`)
      await expect(low).toContainText('Lasts about 47 days')

      for (let turn = 0; turn < 47; turn++) await call()
      await call(402)
      await expect(none).toContainText('Agents do not answer until credits are added.', { timeout: 15_000 })
      await expect(none.getByRole('link', { name: help })).toBeVisible()
      await page.getByRole('link', { name: 'Credits available: 0' }).click()
      await expect(none).toBeVisible()

      // 54 in a week: what is there must last for seven days, and be 50 at least.
      grant(account, 53, 'Too little', service)
      await expect(low).toContainText('Lasts about 6 days', { timeout: 15_000 })
      await expect(none).toHaveCount(0)
      grant(account, 1_000, 'Enough', service)
      await expect(page.getByTestId('available')).toHaveText('1,053 credits', { timeout: 15_000 })
      await expect(low).toHaveCount(0)

      await page.goto(`${service.panel}/agents/${agent.id}/playground`)
      await expect(page.getByRole('status').filter({ hasText: 'Not enough credits' })).toHaveCount(0)
    },
  )
})
