import type { Locator, Page } from '@playwright/test'
import { chat } from './support/owner'
import { expectTab } from './support/tabs'
import { expect, full, test } from './support/test'

/** Looks now, after a reload, and after a visit at the same address in another tab: the address alone makes the page. */
async function keeps(page: Page, look: (page: Page) => Promise<void>) {
  await look(page)
  const address = page.url()
  await page.reload()
  await look(page)
  expect(page.url()).toBe(address)
  const other = await page.context().newPage()
  await other.goto(address)
  await look(other)
  await other.close()
}

/** A row is a link: it has an address, and the browser's ways to open it elsewhere work, from any place of the row. */
async function isLink(page: Page, row: Locator, address: RegExp) {
  const link = row.getByRole('link').first()
  await expect(link).toHaveAttribute('href', address)
  const here = page.url()
  const ways = {
    'a click with Ctrl': () => link.click({ modifiers: ['ControlOrMeta'] }),
    'a middle click': () => link.click({ button: 'middle' }),
    // The link lies over the whole row.
    'a click with Ctrl at the end of the row': () =>
      row
        .getByRole('cell')
        .last()
        .click({ modifiers: ['ControlOrMeta'], force: true }),
  }
  for (const [way, open] of Object.entries(ways)) {
    await test.step(way, () => expectTab(page, open, address))
  }
  expect(page.url()).toBe(here)
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name }) })
const rows = (page: Page) => page.getByRole('table').locator('tbody tr')
/** A choice of a bar of choices; the kit draws it as a label over its radio button. */
const choose = (page: Page, bar: string, choice: string) =>
  page.getByRole('radiogroup', { name: bar }).getByText(choice, { exact: true }).click()
const chosen = (page: Page, bar: string, choice: string) =>
  expect(page.getByRole('radiogroup', { name: bar }).getByRole('radio', { name: choice, exact: true })).toBeChecked()

/** Opens one of the kit's lists and takes a choice. */
async function select(page: Page, list: string, choice: string) {
  await page.getByRole('combobox', { name: list, exact: true }).click()
  await page.getByRole('option', { name: choice, exact: true }).click()
}

test(
  'acceptance 8: the filters of the agents are in the address, and each row is a link',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const desk = await owner.newAgent({ name: 'Order desk' })
    await owner.newAgent({ name: 'Order drafts', publish: false })
    await owner.newAgent({ name: 'Something else' })
    await page.goto('/agents')
    await expect(rows(page)).toHaveCount(3)

    await page.getByRole('searchbox', { name: 'Search agents' }).pressSequentially('order d', { delay: 60 })
    await expect(page).toHaveURL(/\/agents\?search=order(\+|%20)d$/)
    await expect(rows(page)).toHaveCount(2)
    await choose(page, 'State', 'Live')
    await expect(page).toHaveURL(/search=order.d&state=LIVE$/)
    await keeps(page, async (tab) => {
      await expect(tab.getByRole('searchbox', { name: 'Search agents' })).toHaveValue('order d')
      await chosen(tab, 'State', 'Live')
      await expect(rows(tab)).toHaveCount(1)
      await expect(rowOf(tab, 'Order desk')).toBeVisible()
    })
    await isLink(page, rowOf(page, 'Order desk'), new RegExp(`/agents/${desk.id}$`))

    await page.goBack()
    await chosen(page, 'State', 'All')
    await expect(rows(page)).toHaveCount(2)
    // All that was typed at a stretch is one step.
    await page.goBack()
    await expect(page).toHaveURL(/\/agents$/)
    await expect(page.getByRole('searchbox', { name: 'Search agents' })).toHaveValue('')
    await expect(rows(page)).toHaveCount(3)
    await page.goForward()
    await expect(page.getByRole('searchbox', { name: 'Search agents' })).toHaveValue('order d')
    await expect(rows(page)).toHaveCount(2)
  },
)

test(
  'acceptance 8: the open node is in the address, and Back closes and opens it',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const agent = await owner.newAgent({ name: 'Order desk' })
    await page.goto(`/agents/${agent.id}`)
    const drawer = page.getByRole('dialog')
    await page.getByRole('button', { name: /^Channels/ }).click()
    await expect(page).toHaveURL(/\?node=channels$/)
    await keeps(page, async (tab) => {
      await expect(tab.getByRole('dialog', { name: 'Channels' })).toBeVisible()
    })
    await page.goBack()
    await expect(drawer).toHaveCount(0)
    await expect(page).toHaveURL(new RegExp(`/agents/${agent.id}$`))
    await page.goto(`/agents/${agent.id}?node=agent`)
    await expect(page.getByRole('textbox', { name: 'Instructions' })).toBeFocused()
    await page.goto(`/agents/${agent.id}?node=model`)
    await expect(page.getByRole('radio').first()).toBeVisible()
    // What no page of this panel wrote is left aside.
    await page.goto(`/agents/${agent.id}?node=nonsense`)
    await expect(page.getByRole('heading', { name: 'Order desk', level: 1 })).toBeVisible()
    await expect(drawer).toHaveCount(0)
  },
)

test(
  'acceptance 8: the filters of the conversations and the open transcript are in the address',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const agent = await owner.newAgent({ name: 'Order desk' })
    const { apiKey } = await owner.newExport(agent.id)
    for (const label of ['order 7', 'order 8', 'other']) expect((await chat(apiKey, 'Hello', label)).status).toBe(200)
    await owner.sendTestMessage(agent.id, 'Hello', 'order of mine')
    const list = `/agents/${agent.id}/conversations`
    await page.goto(list)
    await expect(rows(page)).toHaveCount(4)

    await page.getByRole('searchbox', { name: 'Session ID' }).pressSequentially('order', { delay: 60 })
    await expect(rows(page)).toHaveCount(3)
    await choose(page, 'Source', 'API')
    await expect(rows(page)).toHaveCount(2)
    const today = await page.evaluate(() => new Intl.DateTimeFormat('sv-SE').format())
    await page.getByLabel('From', { exact: true }).fill('2020-02-29')
    await page.getByLabel('To', { exact: true }).fill(today)
    await expect(page).toHaveURL(new RegExp(`search=order&source=API&from=2020-02-29&to=${today}$`))
    await keeps(page, async (tab) => {
      await expect(tab.getByRole('searchbox', { name: 'Session ID' })).toHaveValue('order')
      await chosen(tab, 'Source', 'API')
      await expect(tab.getByLabel('From', { exact: true })).toHaveValue('2020-02-29')
      await expect(tab.getByLabel('To', { exact: true })).toHaveValue(today)
      await expect(rows(tab)).toHaveCount(2)
      await expect(tab.getByText('2 conversations')).toBeVisible()
    })
    const filtered = page.url()
    await isLink(page, rowOf(page, 'order 7'), /\/conversations\/[0-9a-f-]{36}$/)

    // The transcript has an address of its own, and Back comes to the list as it was.
    await page.getByRole('link', { name: 'order 8' }).click()
    await expect(page).toHaveURL(/\/conversations\/[0-9a-f-]{36}$/)
    await keeps(page, async (tab) => {
      await expect(tab.getByRole('article', { name: 'Turn 1' })).toBeVisible()
      await expect(tab.getByText('order 8', { exact: true })).toBeVisible()
    })
    await page.goBack()
    await expect(page).toHaveURL(filtered)
    await expect(rows(page)).toHaveCount(2)

    // Back takes the filters off, one by one.
    await page.goBack()
    await expect(page.getByLabel('To', { exact: true })).toHaveValue('')
    await page.goBack()
    await expect(page.getByLabel('From', { exact: true })).toHaveValue('')
    await page.goBack()
    await chosen(page, 'Source', 'All')
    await expect(rows(page)).toHaveCount(3)
    await page.goBack()
    await expect(page.getByRole('searchbox', { name: 'Session ID' })).toHaveValue('')
    await expect(rows(page)).toHaveCount(4)

    // Filters that leave nothing say so, and are cleared at a click.
    await page.goto(`${list}?search=nobody&source=PLAYGROUND`)
    await expect(page.getByText('No matching conversations')).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(rows(page)).toHaveCount(4)
    await expect(page).toHaveURL(new RegExp(`${list}$`))
  },
)

test(
  'acceptance 8: a day is typed, cleared and left half typed by keyboard',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const agent = await owner.newAgent()
    for (const path of [`/agents/${agent.id}/conversations`, '/credits']) {
      await page.goto(path)
      const from = page.getByLabel('From', { exact: true })
      await from.focus()
      await page.keyboard.type('03042021')
      await expect(page).toHaveURL(/\?from=2021-03-04$/)
      // A date without a month is incomplete: the filter keeps the last whole date, and the field returns to it on leaving.
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('Backspace')
      await expect(from).toHaveValue('')
      await page.keyboard.type('12')
      await expect(page).toHaveURL(/\?from=2021-12-04$/)
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('Backspace')
      await expect(from).toHaveValue('')
      await page.getByRole('heading', { level: 1 }).click()
      await expect(from).toHaveValue('2021-12-04')
      await expect(page).toHaveURL(/\?from=2021-12-04$/)
      await page.getByRole('button', { name: 'Clear filters' }).first().click()
      await expect(from).toHaveValue('')
      await expect(page).toHaveURL(new RegExp(`${path}$`))
    }
  },
)

test(
  'acceptance 8: the state of the exports is in the address, and each row leads to its drawer',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const agent = await owner.newAgent({ name: 'Order desk' })
    await owner.newExport(agent.id, 'Shop')
    const { id } = await owner.newExport(agent.id, 'Old shop')
    await owner.gql('mutation($input: RemoveApiExportInput!) { removeApiExport(input: $input) { export { id } } }', {
      input: { id },
    })
    await page.goto('/exports')
    await expect(rows(page)).toHaveCount(1)
    await choose(page, 'State', 'Removed')
    await expect(page).toHaveURL(/\/exports\?state=REMOVED$/)
    await keeps(page, async (tab) => {
      await chosen(tab, 'State', 'Removed')
      await expect(rows(tab)).toHaveCount(1)
      await expect(rowOf(tab, 'Old shop')).toBeVisible()
    })
    await isLink(page, rowOf(page, 'Old shop'), new RegExp(`/agents/${agent.id}\\?node=channels$`))
    await page.goBack()
    await chosen(page, 'State', 'In use')
    await expect(rows(page)).toHaveCount(1)
  },
)

test(
  'acceptance 8: the filters of the credits and the way the days are shown are in the address',
  full(),
  async ({ strictPage: page, newOwner }) => {
    const owner = await newOwner()
    const desk = await owner.newAgent({ name: 'Order desk', model: 'sandbox/assistant' })
    const other = await owner.newAgent({ name: 'Something else' })
    const shop = await owner.newExport(desk.id, 'Shop')
    const site = await owner.newExport(other.id, 'Site')
    for (const key of [shop.apiKey, shop.apiKey, site.apiKey]) expect((await chat(key, 'Hello')).status).toBe(200)
    await page.goto('/credits')
    const entries = page.getByTestId('credit-entry')
    await expect(entries).toHaveCount(4)

    await select(page, 'Kind', 'Charge')
    await expect(entries).toHaveCount(3)
    await select(page, 'Agent', 'Order desk')
    await expect(entries).toHaveCount(2)
    await select(page, 'Export', 'Shop')
    const today = await page.evaluate(() => new Intl.DateTimeFormat('sv-SE').format())
    await page.getByLabel('From', { exact: true }).fill(today)
    await page.getByLabel('To', { exact: true }).fill(today)
    await choose(page, 'Show usage as', 'Table')
    const wanted = { kind: 'CHARGE', agent: desk.id, export: shop.id, from: today, to: today, view: 'table' }
    await expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(wanted)
    await keeps(page, async (tab) => {
      await expect(tab.getByRole('combobox', { name: 'Kind' })).toHaveValue('Charge')
      await expect(tab.getByRole('combobox', { name: 'Agent' })).toHaveValue('Order desk')
      await expect(tab.getByRole('combobox', { name: 'Export' })).toHaveValue('Shop')
      await expect(tab.getByLabel('From', { exact: true })).toHaveValue(today)
      await expect(tab.getByLabel('To', { exact: true })).toHaveValue(today)
      await chosen(tab, 'Show usage as', 'Table')
      await expect(tab.getByTestId('credit-entry')).toHaveCount(2)
    })
    for (const lost of ['view', 'to', 'from', 'export', 'agent', 'kind']) {
      await page.goBack()
      await expect.poll(() => new URL(page.url()).searchParams.has(lost), `without ${lost}`).toBe(false)
    }
    await expect(entries).toHaveCount(4)
    await expect(page.getByRole('combobox', { name: 'Kind' })).toHaveValue('All kinds')

    // An entry leads to its conversation.
    const link = entries.first().getByRole('link', { name: /^Open conversation/ })
    await expect(link).toHaveAttribute('href', /\/conversations\/[0-9a-f-]{36}$/)
    await link.click()
    await expect(page.getByRole('article', { name: 'Turn 1' })).toBeVisible()
    await page.goBack()

    // A day without entries says so.
    await page.goto('/credits?from=2020-01-01&to=2020-01-02')
    await expect(page.getByText('No matching entries')).toBeVisible()
    // What is no filter is left aside.
    await page.goto('/credits?kind=NONSENSE&agent=nobody&from=2020-13-45')
    await expect(entries).toHaveCount(4)
  },
)
