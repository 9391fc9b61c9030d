import type { Page } from '@playwright/test'
import { channels, copied, createExport, keyRegion, lossQuestion, openChannels } from './support/channels'
import { chat } from './support/owner'
import { expect, test } from './support/test'

test('acceptance 3: the key is in one answer, on one screen, and then nowhere @long', async ({
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
  await channels(page).getByRole('button', { name: 'I’ve saved the key' }).click()
  await expect(keyRegion(page, 'Website')).toHaveCount(0)

  const row = channels(page).getByRole('region', { name: 'API exports' }).getByRole('row').nth(1)
  await expect(row).not.toContainText('agc_')
  await nowhere(page, key)
  expect((await chat(key, 'Hello')).status).toBe(200)

  // Every page that shows exports, by the panel's own links and by a new load.
  for (const name of ['Home', 'Agents', 'Usage & credits', 'API exports', 'Settings']) {
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

test('acceptance 3: a reload asks first, and afterwards the key is gone @long', async ({
  strictPage: page,
  newOwner,
}) => {
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
  Back: (page) => page.evaluate(() => history.back()),
  'a link': (page) => channels(page).getByRole('link', { name: 'API docs' }).click(),
  'another tab of the agent': (page) => channels(page).getByRole('link', { name: 'Versions' }).click(),
  'another place': (page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click(),
  'the keyboard': async (page) => {
    await page.keyboard.press('g')
    await page.keyboard.press('h')
  },
}

test('acceptance 3: no way out of Channels loses the key silently @long', async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  await page.goto(`/agents/${agent.id}`)
  await page.getByRole('link', { name: /^Channels / }).click()
  const key = await createExport(page, 'Website')
  const address = page.url()
  for (const [name, leave] of Object.entries(waysOut)) {
    await test.step(name, async () => {
      await leave(page)
      await expect(lossQuestion(page)).toContainText('You won’t be able to see it again.')
      await lossQuestion(page).getByRole('button', { name: 'Back to the key' }).click()
      await expect(lossQuestion(page)).toHaveCount(0)
      await expect(page.getByTestId('api-key')).toHaveText(key)
      await expect(page).toHaveURL(address)
    })
  }
  expect(await copied(page, channels(page).getByRole('button', { name: 'Copy key' }))).toBe(key)
  await waysOut.Back?.(page)
  await lossQuestion(page).getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page).toHaveURL(`/agents/${agent.id}`)
  await nowhere(page, key)
})

test('acceptance 3 and 21: a replaced key is shown once, both work until the old one ends, and the export stays one row', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ model: 'sandbox/assistant' })
  const old = await owner.newExport(agent.id, 'Website', 250)
  expect((await chat(old.apiKey, 'My name is Ada', 'customer-42')).status).toBe(200)
  const heard = listen(page)
  await page.goto('/exports')
  await page.getByRole('link', { name: 'Website', exact: true }).click()
  const keys = page.getByRole('region', { name: 'Keys' }).getByRole('listitem')
  await expect(keys).toHaveCount(1)
  await page.getByRole('button', { name: 'Replace key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replace key of “Website”' })
  await dialog.getByRole('radio', { name: 'In 24 hours' }).click()
  await dialog.getByRole('button', { name: 'Create new key' }).click()
  await expect(page.getByRole('heading', { name: 'Key of “Website”' })).toBeFocused()
  await page.keyboard.press('Escape')
  const key = await copied(page, page.getByRole('button', { name: 'Copy key' }))
  expect(key).not.toBe(old.apiKey)
  for (const leave of [
    () => page.getByRole('link', { name: 'View all' }).click(),
    () => page.evaluate(() => history.back()),
  ]) {
    await leave()
    await lossQuestion(page).getByRole('button', { name: 'Back to the key' }).click()
  }
  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => void setTimeout(() => location.reload()))
  await (await asked).dismiss()
  await expect(page.getByTestId('api-key')).toHaveText(key)
  await page.getByRole('button', { name: 'I’ve saved the key' }).click()
  await expect(keyRegion(page, 'Website')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Keys' })).toBeFocused()
  await nowhere(page, key)

  // Both are accepted, share the conversation and the counters, and each says when it was last used.
  for (const apiKey of [old.apiKey, key]) {
    const { status, body } = await chat(apiKey, 'What is my name?', 'customer-42')
    expect([status, body.reply]).toEqual([200, expect.stringContaining('Ada')])
  }
  await expect(keys).toHaveCount(2)
  await expect(keys.nth(0)).toContainText('New key')
  await expect(keys.nth(0)).not.toContainText('Last usedNever')
  await expect(keys.nth(1)).toContainText(/Expires.*(tomorrow|in 23 hours)/)
  await expect(page.getByText('3 credits today')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Replace key' })).toHaveCount(0)
  await expect(page.getByText(/An export can have two keys/)).toBeVisible()

  await keys
    .nth(1)
    .getByRole('button', { name: /^Revoke/ })
    .click()
  await page.getByRole('dialog', { name: 'Revoke the old key?' }).getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByRole('button', { name: 'Replace key' })).toBeVisible()
  expect((await chat(old.apiKey, 'Hello', 'customer-42')).status).toBe(401)
  expect((await chat(key, 'Hello', 'customer-42')).status).toBe(200)

  // One row in every list, and the key in none.
  for (const address of ['/exports', `/agents/${agent.id}/channels`]) {
    await page.goto(address)
    await expect(page.getByRole('row').filter({ hasText: 'Website' })).toHaveCount(1)
    await nowhere(page, key)
  }
  const answers = await heard.answers()
  expect(answers.filter((body) => body.includes(key))).toHaveLength(1)
  expect([...heard.logged(), ...heard.asked()].filter((text) => text.includes(key))).toEqual([])
})

test('acceptance 21: both keys answer under load, no call is refused before the old one ends, and none accepted after @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner({ credits: 1_000_000 })
  const agent = await owner.newAgent({ model: 'sandbox/assistant' })
  const old = await owner.newExport(agent.id, 'Website')
  await page.goto(`/exports/${old.id}`)
  let current = [old.apiKey]
  const statuses: number[] = []
  let calling = true
  const load = Array.from({ length: 3 }, async () => {
    for (let at = 0; calling; at++) statuses.push((await chat(current[at % current.length] ?? '', 'Hello')).status)
  })
  await page.getByRole('button', { name: 'Replace key' }).click()
  await page.getByRole('button', { name: 'Create new key' }).click()
  const key = (await page.getByTestId('api-key').textContent()) ?? ''
  current = [old.apiKey, key]
  await page.getByRole('button', { name: 'I’ve saved the key' }).click()
  await expect(page.getByRole('region', { name: 'Keys' }).getByRole('listitem')).toHaveCount(2)
  const answered = statuses.length
  await expect.poll(() => statuses.length).toBeGreaterThan(answered + 5)
  calling = false
  await Promise.all(load)
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  await page.getByRole('button', { name: 'Revoke the old key' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByRole('region', { name: 'Keys' }).getByRole('listitem')).toHaveCount(1)
  expect((await chat(old.apiKey, 'Hello')).status).toBe(401)
  expect((await chat(key, 'Hello')).status).toBe(200)
  const used = (statuses.length + 1).toLocaleString('en')
  await expect(page.getByText(`${used} credits today`), 'one counter for both').toBeVisible()
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
