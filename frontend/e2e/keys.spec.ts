import type { Page } from '@playwright/test'
import { channels, copied, createExport, keyRegion, lossQuestion, openChannels } from './support/channels'
import { chat } from './support/owner'
import { expect, test } from './support/test'

test('acceptance 3: the key is in one answer, on one screen, and then nowhere', async ({
  strictPage: page,
  newOwner,
}) => {
  const heard = listen(page)
  const owner = await newOwner()
  const agent = await owner.newAgent()
  await openChannels(page, agent.id)
  const key = await createExport(page, 'Website')
  expect(key).toMatch(/^agc_[0-9A-Za-z]{38}$/)
  expect(await kept(page)).not.toContain(key)
  await channels(page).getByRole('button', { name: 'I have saved the key' }).click()
  await expect(keyRegion(page, 'Website')).toHaveCount(0)

  const hint = channels(page).getByRole('region', { name: 'Exports in use' }).locator('code')
  await expect(hint).toContainText('agc_')
  await expect(hint).not.toHaveText(key)
  await nowhere(page, key)
  expect((await chat(key, 'Hello')).status).toBe(200)

  // Everywhere that speaks of exports, by the panel's own links and anew.
  await channels(page).getByRole('button', { name: 'Close' }).click()
  for (const name of ['Home', 'Agents', 'Exports', 'Credits', 'Settings']) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await nowhere(page, key)
  }
  await openChannels(page, agent.id)
  await expect(channels(page).getByText('Website')).toBeVisible()
  await nowhere(page, key)
  await page.reload()
  await expect(channels(page).getByText('Website')).toBeVisible()
  await nowhere(page, key)

  const answers = await heard.answers()
  expect(answers.length).toBeGreaterThan(10)
  expect(answers.filter((body) => body.includes(key))).toHaveLength(1)
  expect(heard.logged().filter((text) => text.includes(key))).toEqual([])
  expect(heard.asked().filter((text) => text.includes(key))).toEqual([])
})

test('acceptance 3: a reload asks first, and afterwards the key is gone', async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  await openChannels(page, agent.id)
  const key = await createExport(page, 'Website')
  const asked = page.waitForEvent('dialog')
  const reloaded = page.reload()
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.accept()
  await reloaded
  await expect(channels(page).getByText('Website')).toBeVisible()
  await expect(keyRegion(page, 'Website')).toHaveCount(0)
  await nowhere(page, key)
})

const waysOut: Record<string, (page: Page) => Promise<unknown>> = {
  Escape: (page) => page.keyboard.press('Escape'),
  'a click outside': (page) => page.mouse.click(20, 400),
  'the drawer’s close button': (page) => channels(page).getByRole('button', { name: 'Close' }).click(),
  Back: (page) => page.evaluate(() => history.back()),
  'a link': (page) => channels(page).getByRole('link', { name: 'API reference' }).click(),
}

test('acceptance 3: no way out of the drawer loses the key silently', async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  await page.goto(`/agents/${agent.id}`)
  await page.getByRole('button', { name: /^Channels/ }).click()
  const key = await createExport(page, 'Website')
  const address = page.url()
  for (const [name, leave] of Object.entries(waysOut)) {
    await test.step(name, async () => {
      await leave(page)
      await expect(lossQuestion(page)).toContainText('It cannot be shown again.')
      await lossQuestion(page).getByRole('button', { name: 'Keep showing it' }).click()
      await expect(lossQuestion(page)).toHaveCount(0)
      await expect(page.getByTestId('api-key')).toHaveText(key)
      await expect(page).toHaveURL(address)
    })
  }
  expect(await copied(page, channels(page).getByRole('button', { name: 'Copy key' }))).toBe(key)
  await page.keyboard.press('Escape')
  await lossQuestion(page).getByRole('button', { name: 'Leave without the key' }).click()
  await expect(channels(page)).toHaveCount(0)
  await nowhere(page, key)
})

test('acceptance 7: a replaced key is shown, and the old one works until it is removed', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  const old = await owner.newExport(agent.id, 'Website', 250)
  expect((await chat(old.apiKey, 'My name is Ada', 'customer-42')).status).toBe(200)
  await openChannels(page, agent.id)
  const drawer = channels(page)
  await drawer.getByRole('button', { name: 'Replace key of “Website”' }).click()
  await expect(keyRegion(page, 'Website')).toBeVisible()
  const key = await copied(page, drawer.getByRole('button', { name: 'Copy key' }))
  expect(key).not.toBe(old.apiKey)
  const notice = drawer.getByRole('region', { name: 'Replacing a key' })
  await drawer.getByRole('button', { name: 'I have saved the key' }).click()
  await expect(drawer.getByText('250 requests per minute')).toHaveCount(2)

  // Both are accepted, and share the conversation.
  for (const apiKey of [old.apiKey, key]) {
    const { status, body } = await chat(apiKey, 'What is my name?', 'customer-42')
    expect([status, body.reply]).toEqual([200, expect.stringContaining('Ada')])
  }
  await notice.getByRole('button', { name: 'Remove the old export' }).click()
  await page
    .getByRole('dialog', { name: 'Remove export “Website”?' })
    .getByRole('button', { name: 'Remove export' })
    .click()
  await expect(notice).toHaveCount(0)
  await expect(drawer.getByRole('region', { name: 'Removed exports' })).toContainText('Website')
  await expect(drawer.getByRole('region', { name: 'Exports in use' })).toContainText('Website')
  await expect(drawer.getByRole('heading', { name: 'API', exact: true })).toBeFocused()
  expect((await chat(old.apiKey, 'Hello', 'customer-42')).status).toBe(401)
  expect((await chat(key, 'Hello', 'customer-42')).status).toBe(200)
})

/** Everything that the page says, asks and is answered from now on. */
function listen(page: Page) {
  const bodies: Promise<string>[] = []
  const logged: string[] = []
  const asked: string[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/graphql')) bodies.push(response.text().catch(() => ''))
  })
  page.on('console', (message) => logged.push(message.text()))
  page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`))
  return { answers: () => Promise.all(bodies), logged: () => logged, asked: () => asked }
}

/** What the browser keeps of the page: storage, databases, caches, cookies, the history's own state. */
async function kept(page: Page): Promise<string> {
  const inPage = await page.evaluate(async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name)
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases, await caches.keys(), history.state])
  })
  return `${inPage} ${JSON.stringify(await page.context().cookies())} ${page.url()}`
}

/** Checks that the key is in nothing that the page shows or keeps. */
async function nowhere(page: Page, key: string) {
  expect(await page.content()).not.toContain(key)
  const values = await page.evaluate(() =>
    Array.from(document.querySelectorAll('input, textarea'), (field) => (field as HTMLInputElement).value).join(),
  )
  expect(values).not.toContain(key)
  expect(await kept(page)).not.toContain(key)
}
