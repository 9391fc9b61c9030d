import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { type Service, startService } from './support/service'
import { expect, full, signIn, test } from './support/test'

// Each test takes a service of its own away; two more at a time are enough for one machine.
test.describe.configure({ mode: 'default', timeout: 100_000 })
test.use({ actionTimeout: 15_000 })

const trouble = (page: Page) => page.getByRole('alert').filter({ hasText: 'This could not be loaded' })
const old = (page: Page) => page.getByRole('status').filter({ hasText: 'This may be out of date.' })
const agents = (page: Page) => page.getByRole('link', { name: 'Demo assistant' })
const recovery = { timeout: 30_000 }

const assets = readdirSync(fileURLToPath(new URL('../dist/assets', import.meta.url)))

/** Waits until the code of the pages used here is there, which is fetched in a calm moment after the start. */
async function pagesLoaded(page: Page) {
  const parts = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .join(),
    )
  for (const name of assets.filter((asset) => /^(exports|credits)-.*\.js$/i.test(asset)))
    await expect.poll(parts).toContain(name)
  await page.waitForLoadState('networkidle')
}

/** Fails when the page is loaded anew from here on: what was on it would be lost. */
async function holdPage(page: Page) {
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))
  return () => expect(page.evaluate(() => 'sameDocument' in window)).resolves.toBe(true)
}

test.describe('a service that goes away', () => {
  let service: Service
  test.beforeAll(async () => {
    service = await startService({ DATABASE_URL: undefined })
  })
  test.afterAll(() => service.stop())

  test.beforeEach(async ({ page }) => {
    await page.goto(`${service.panel}/login?next=%2Fagents`)
    await signIn(page, service.demo)
    await expect(agents(page)).toBeVisible()
    await pagesLoaded(page)
  })

  test(
    'acceptance 16: a stopped service is reported, and the panel recovers without a reload',
    full(),
    async ({ page }) => {
      const expectSamePage = await holdPage(page)
      await service.halt()
      await page.getByRole('link', { name: 'Exports' }).click()
      await expect(page.getByRole('alert').first()).toContainText(/could not be reached/)
      await expect(page.getByRole('button', { name: 'Retry' }).first()).toBeVisible()
      await page.getByRole('link', { name: 'Agents', exact: true }).first().click()
      await expect(agents(page), 'what was there stays').toBeVisible()
      await page.getByRole('link', { name: 'Credits', exact: true }).first().click()
      await expect(page.getByRole('alert').first()).toContainText(/could not be reached/)

      await service.resume()
      await expect(page.getByRole('heading', { name: 'Credits', level: 1 })).toBeVisible(recovery)
      await expect(page.getByRole('alert')).toHaveCount(0, recovery)
      await page.getByRole('link', { name: 'Agents', exact: true }).first().click()
      await expect(agents(page)).toBeVisible()
      await expectSamePage()
    },
  )

  test(
    'acceptance 16: an unresponsive service shows a skeleton, then a message, and the panel recovers',
    full(),
    async ({ page }) => {
      const expectSamePage = await holdPage(page)
      service.signal('SIGSTOP')
      try {
        await page.getByRole('link', { name: 'Exports' }).click()
        await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
        await expect(trouble(page)).toContainText('The service did not answer in time.', { timeout: 45_000 })
        await expect(trouble(page)).toContainText(/panel-[0-9a-f]{32}/)
      } finally {
        service.signal('SIGCONT')
      }
      await expect(page.getByRole('link', { name: /Demo|API export|Website/ }).first()).toBeVisible(recovery)
      await expectSamePage()
    },
  )
})

const spoilt = {
  'a broken connection': { abort: true, says: 'The service could not be reached.' },
  'an answer cut short': {
    status: 200,
    contentType: 'application/json',
    body: '{"data":{"agents":{"no',
    says: 'could not be read',
  },
  'a page of a proxy': {
    status: 502,
    contentType: 'text/html',
    body: '<h1>Bad gateway</h1>',
    says: 'cannot answer right now',
  },
  'a page of a portal': {
    status: 200,
    contentType: 'text/html',
    body: '<h1>Accept our terms</h1>',
    says: 'could not be read',
  },
}

for (const [name, { says, ...answer }] of Object.entries(spoilt)) {
  test(
    `acceptance 16: ${name} is shown with Retry and a request ID, and passes`,
    full(),
    async ({ page, newOwner }) => {
      const owner = await newOwner()
      await owner.newAgent({ name: 'Order desk' })
      await page.goto('/settings')
      await expect(page.getByTestId('credit-chip')).toHaveText(/\d/)
      const expectSamePage = await holdPage(page)
      const desk = page.getByRole('link', { name: 'Order desk' })
      const spoil = () =>
        page.route('**/graphql', (route) => ('abort' in answer ? route.abort() : route.fulfill(answer)))

      await spoil()
      await page.getByRole('link', { name: 'Agents', exact: true }).first().click()
      await expect(trouble(page)).toContainText(says)
      await expect(trouble(page)).toContainText(/panel-[0-9a-f]{32}/)
      await page.unroute('**/graphql')
      await trouble(page).getByRole('button', { name: 'Retry' }).click()
      await expect(desk).toBeVisible()

      // By itself, too, and with what was there in sight.
      await spoil()
      await page.getByText('Not live', { exact: true }).click()
      await expect(trouble(page).or(old(page))).toContainText(says)
      await page.unroute('**/graphql')
      await expect(trouble(page).or(old(page))).toHaveCount(0, recovery)
      await expect(page.getByText('No matching agents')).toBeVisible()
      await expectSamePage()
    },
  )
}

test(
  'acceptance 16: a panel opened while the service is unreachable starts by itself once it is back',
  full(),
  async ({ page, newOwner }) => {
    await newOwner()
    await page.route('**/graphql', (route) => route.abort())
    await page.goto('/agents?state=DRAFT')
    await expect(trouble(page)).toContainText('The service could not be reached.')
    await expect(trouble(page).getByRole('button', { name: 'Retry' })).toBeVisible()
    const expectSamePage = await holdPage(page)
    await page.unroute('**/graphql')
    await expect(page.getByRole('heading', { name: 'Agents', level: 1 })).toBeVisible(recovery)
    await expect(page).toHaveURL('/agents?state=DRAFT')
    await expectSamePage()
  },
)

const codeOfExports = /assets\/exports-.*\.js/

test(
  'acceptance 16: a page whose code cannot be fetched says so, and opens once it can',
  full(),
  async ({ page, newOwner }) => {
    await newOwner()
    await page.route(codeOfExports, (route) => route.abort())
    await page.goto('/agents')
    await expect(page.getByRole('heading', { name: 'Agents', level: 1 })).toBeVisible()
    const expectSamePage = await holdPage(page)
    await page.getByRole('link', { name: 'Exports' }).click()
    await expect(trouble(page)).toContainText('The service could not be reached.')
    await expectSamePage()
    await page.unroute(codeOfExports)
    await expect(page.getByRole('heading', { name: 'Exports', level: 1 })).toBeVisible(recovery)
  },
)

test('a page whose code an upgrade has replaced loads the new panel', full(), async ({ page, newOwner }) => {
  await newOwner()
  await page.route(codeOfExports, (route) => route.fulfill({ status: 404 }))
  await page.goto('/agents')
  await expect(page.getByRole('heading', { name: 'Agents', level: 1 })).toBeVisible()
  const loaded = page.waitForEvent('load')
  await page.getByRole('link', { name: 'Exports' }).click()
  await loaded
  await expect(trouble(page), 'loaded anew only once').toBeVisible()
  await page.unroute(codeOfExports)
  await expect(page.getByRole('heading', { name: 'Exports', level: 1 })).toBeVisible(recovery)
})

test('acceptance 16: a slow answer shows a skeleton after a moment, a fast one none', async ({ page, newOwner }) => {
  const owner = await newOwner()
  await owner.newAgent({ name: 'Order desk' })
  await page.goto('/settings')
  await expect(page.getByTestId('credit-chip')).toHaveText(/\d/)
  const skeleton = page.getByRole('status', { name: 'Loading', includeHidden: true })
  await expect(skeleton).toHaveCount(0)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/graphql', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('link', { name: 'Agents', exact: true }).first().click()
  await expect(skeleton).toBeVisible()
  await expect(skeleton).toHaveCSS('animation-delay', '0.15s') // invisible until then
  release()
  await expect(page.getByRole('link', { name: 'Order desk' })).toBeVisible()
  await expect(skeleton).toHaveCount(0)
})

test('acceptance 16: what could not be saved stays in the form, with the request ID', async ({ page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  await page.goto(`/agents/${agent.id}?node=agent`)
  const text = page.getByRole('textbox', { name: 'Instructions' })
  await text.fill('Typed with care.')
  await page.route('**/graphql', (route) => route.abort())
  await page.getByRole('button', { name: 'Save changes' }).click()
  const alert = page
    .getByRole('alert')
    .filter({ hasText: 'The service could not be reached.' })
    .filter({ hasText: 'panel-' })
  await expect(alert).toContainText(/panel-[0-9a-f]{32}/)
  await expect(text).toHaveValue('Typed with care.')
  await page.unroute('**/graphql')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Saved to the draft' })).toBeVisible()
})
