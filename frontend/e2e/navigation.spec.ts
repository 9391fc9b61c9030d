import type { Page } from '@playwright/test'
import { crawl } from './support/crawl'
import { addresses, expect, test } from './support/test'
import { wireTo } from './support/wire'

const instructions = (page: Page) => page.getByRole('textbox', { name: 'Instructions' })
const exportsLink = (page: Page) => page.getByRole('link', { name: 'API exports', exact: true })
const exportsHeading = (page: Page) => page.getByRole('heading', { name: 'API exports', level: 1 })
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { sameDocument: true }))
const isMarked = (page: Page) => page.evaluate(() => 'sameDocument' in window)

test('row 1: text that cannot be saved is asked about, and stays, when the service is gone', async ({
  page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  const wire = await wireTo(addresses().panel)
  await page.goto(`${wire.url}/agents/${agent.id}/versions`)
  await page.getByRole('link', { name: 'Build', exact: true }).click()
  await expect(instructions(page)).toBeVisible()
  await mark(page)
  await wire.close()

  await instructions(page).fill('Typed with care.')
  const address = page.url()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  for (const leave of [() => exportsLink(page).click(), () => page.evaluate(() => history.back())]) {
    await leave()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect(question).toHaveCount(0)
    await expect(instructions(page)).toHaveValue('Typed with care.')
    await expect(page).toHaveURL(address)
  }
  expect(await isMarked(page)).toBe(true)
})

test('row 3: a page whose scripts cannot be fetched stays closed until Retry', async ({ page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  await page.goto(`/agents/${agent.id}?node=agent`)
  await instructions(page).fill('Typed with care.')
  await mark(page)
  const address = page.url()
  const scripts = /\/assets\/.*\.js$/
  await page.route(scripts, (route) => route.abort())
  await exportsLink(page).hover()
  await exportsLink(page).click()
  const toast = page.getByRole('group').filter({ hasText: 'Couldn’t open API exports. Check your connection.' })
  await expect(toast).toBeVisible()
  await expect(page).toHaveURL(address)
  await expect(instructions(page)).toHaveValue('Typed with care.')
  await page.unroute(scripts)
  await toast.getByRole('button', { name: 'Retry' }).click()
  await expect(exportsHeading(page)).toBeVisible()
  await expect(toast).toHaveCount(0)
  expect(await isMarked(page)).toBe(true)
})

test('a page that an upgrade has replaced stays closed until the panel is reloaded', async ({ page, newOwner }) => {
  await newOwner()
  await page.goto('/agents')
  await expect(page.getByRole('heading', { name: 'Agents', level: 1 })).toBeVisible()
  await page.route(/\/assets\/.*\.js$/, (route) => route.fulfill({ status: 404 }))
  await page.route(`${addresses().panel}/`, (route) => route.fulfill({ body: '<!doctype html>' }))
  await exportsLink(page).click()
  const toast = page.getByRole('group').filter({ hasText: 'This page was updated.' })
  await expect(toast).toBeVisible()
  await expect(page).toHaveURL(/\/agents$/)
  await page.unrouteAll()
  const loaded = page.waitForEvent('load')
  await toast.getByRole('button', { name: 'Reload' }).click()
  await loaded
  await exportsLink(page).click()
  await expect(exportsHeading(page)).toBeVisible()
})

test('row 7: a key marks its place at once, and a bar shows that the page is on its way', async ({
  strictPage: page,
  newOwner,
}) => {
  await newOwner()
  await page.goto('/agents')
  await expect(page.getByRole('heading', { name: 'Agents', level: 1 })).toBeVisible()
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route('**/assets/**', async (route) => {
    await arrived
    await route.continue()
  })
  // Measured in the page, because messages between test and browser take time. It listens before a key is pressed.
  const marked = await page.evaluateHandle(() => ({
    after: new Promise<number>((resolve) => {
      let pressed = 0
      document.addEventListener('keydown', ({ timeStamp }) => (pressed = timeStamp), { capture: true })
      new MutationObserver(() => {
        if (document.querySelector('nav a[href="/developers"][data-active]')) resolve(performance.now() - pressed)
      }).observe(document.body, { subtree: true, attributes: true })
    }),
  }))
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  expect(await marked.evaluate(({ after }) => after)).toBeLessThan(100)
  const bar = page.getByRole('progressbar', { name: /^Opening / })
  await expect(bar).toBeVisible()
  expect(await bar.boundingBox()).toMatchObject({ y: 0, height: 2 })
  await expect(page).toHaveURL(/\/agents$/)
  arrive()
  await expect(page).toHaveURL(/\/developers$/)
  await expect(bar).toHaveCount(0)
})

for (const delay of [30, 60, 100]) {
  test(`row 8: a translator that moves each text after ${delay} ms breaks no page @long`, async ({
    page,
    newOwner,
  }) => {
    test.setTimeout(600_000)
    const owner = await newOwner()
    const agent = await owner.newAgent()
    await owner.newExport(agent.id)
    await page.addInitScript(translate, delay)
    const expectPage = async (address: string) => {
      await expect(page.locator('main font').first(), address).toBeAttached()
      await expect(page.getByRole('heading', { name: 'Something went wrong', level: 1 }), address).toHaveCount(0)
    }
    await crawl(page, ({ address }) => expectPage(address))
    await page.goto('/')
    for (const place of ['/agents', '/exports', '/usage', '/settings', '/activity/conversations', '/developers']) {
      await page.locator(`nav a[href="${place}"]`).first().click()
      await expect(page).toHaveURL(new RegExp(place))
      await expectPage(place)
    }
    await page.goBack()
    await expectPage('back')
  })
}

/** Runs in the page: wraps each text in <font>, some time after it appears. */
function translate(delay: number) {
  const wrap = (text: Text) => {
    const parent = text.parentElement
    if (!(parent instanceof HTMLElement) || ['FONT', 'SCRIPT', 'STYLE', 'TEXTAREA', 'TITLE'].includes(parent.tagName))
      return
    const font = document.createElement('font')
    text.replaceWith(font)
    font.append(text)
  }
  const visit = (node: Node) => {
    if (node instanceof Text) setTimeout(wrap, delay, node)
    else node.childNodes.forEach(visit)
  }
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(visit)
  }).observe(document, { subtree: true, childList: true })
}
