import type { Page } from '@playwright/test'
import { chat } from './support/owner'
import { expect, test } from './support/test'

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const open = (page: Page, text: string) => row(page, text).locator('.panel-row-link')
const panel = (page: Page) => page.getByRole('complementary', { name: 'Request' })

test('a call is seen in the log by its first words, a refused one by its reason, without text', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', model: 'sandbox/assistant' })
  const { apiKey } = await owner.newExport(agent.id, 'Till')
  await chat(apiKey, 'Where is\nmy parcel?', 'customer-1', { user_id: 'maria' })
  await page.goto('/activity/requests')
  await expect(page.getByText('1 request', { exact: true })).toBeVisible()
  await expect(row(page, 'Where is my parcel?')).toHaveText(/200 answered.*my parcel\?.*maria.*Order desk.*1$/s)
  const refused = await chat(apiKey, '', 'customer-1')
  expect(refused.status).toBe(400)
  await expect(row(page, 'message is blank')).toContainText('400 invalid_request', { timeout: 5_000 })

  // What was asked and answered, as the transcript has it, and back from the transcript.
  await open(page, 'Where is my parcel?').click()
  await expect(panel(page).getByRole('group', { name: 'Message' })).toContainText('my parcel?')
  await panel(page).getByRole('group', { name: 'Reply' }).getByRole('button', { name: 'Raw' }).click()
  await panel(page).getByRole('link', { name: 'customer-1, turn 1' }).click()
  await expect(page).toHaveURL(/\/conversations\/[^?]+\?turn=1$/)
  await page.getByRole('article').getByRole('link', { name: 'View request' }).click()
  await expect(panel(page).getByRole('group', { name: 'Message' })).toContainText('my parcel?')

  // Why a refused one has no reply, and what to do; the list stays in use.
  await open(page, 'message is blank').click()
  await expect(panel(page).getByText('message is blank. Send some text for the agent.')).toBeVisible()
  await expect(panel(page).getByText(/^Fix the field named above/)).toBeVisible()
  await expect(panel(page).getByText('The text of rejected calls is never stored.')).toBeVisible()
  await expect(panel(page).getByRole('group')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)

  // The palette finds a call by its session or its request ID, of whatever day.
  const found = { 'customer-1': 'Where is my parcel?', [String(refused.body.request_id)]: 'message is blank' }
  for (const [typed, words] of Object.entries(found)) {
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox', { name: 'Search or jump to…' }).fill(typed)
    await page.getByRole('option', { name: /^Request / }).click()
    await expect(page).toHaveURL(new RegExp(`/activity/requests\\?search=${typed}&time=all$`))
    await expect(page.locator('[data-row]')).toHaveText([new RegExp(words.replace(' my', '\\smy'))])
  }

  // So do its words, and Try has its message in a new chat.
  await page.goto('/activity/requests?search=PARCEL')
  await open(page, 'Where is my parcel?').click()
  await panel(page).getByRole('link', { name: 'Open in Try' }).click()
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Where is\nmy parcel?')
})

test('acceptance 8: errors are grouped by code above the log, and a group is its filter @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ model: 'sandbox/assistant' })
  const { apiKey } = await owner.newExport(agent.id)
  await chat(apiKey, 'Hello', 'one')
  for (const session of ['one', 'two']) await chat(apiKey, '', session)
  expect((await chat(apiKey, 'Fail [[sandbox fail=timeout]]', 'three')).status).toBe(504)
  // Failed messages are counted and refused ones recorded within seconds.
  const group = page.getByRole('link', { name: '400 invalid_request 2' })
  await expect(async () => {
    await page.goto('/activity/requests')
    await expect(group).toBeVisible({ timeout: 1_000 })
    await expect(page.getByRole('link', { name: '504 model_timeout 1' })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(page.getByText('4 requests', { exact: true })).toBeVisible()
  await group.click()
  await expect(page).toHaveURL(/code=invalid_request/)
  await expect(page.getByText('2 requests', { exact: true })).toBeVisible()
  await expect(row(page, 'message is blank')).toHaveCount(2)
  await page.reload()
  await expect(group).toHaveAttribute('aria-current', 'page')
  await page.getByRole('link', { name: /^Failed/ }).click()
  await expect(page.getByText('1 request', { exact: true })).toBeVisible()
  await expect(row(page, 'Fail [[')).toContainText('504 model_timeout')

  // A part of the period: the first of seven days by a drag, then the whole again.
  const strip = await page.getByRole('slider', { name: 'Requests over time' }).locator('..').boundingBox()
  if (!strip) throw new Error('no strip')
  await page.mouse.move(strip.x + 2, strip.y + 20)
  await page.mouse.down()
  await page.mouse.move(strip.x + strip.width / 7 - 3, strip.y + 20)
  await page.mouse.up()
  await expect(page.getByText('No matching requests')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Failed 0' })).toBeVisible()
  await page.getByRole('button', { name: /Show whole period$/ }).click()
  await expect(page.getByRole('link', { name: 'Failed 1' })).toBeVisible()
  await expect(row(page, 'Fail [[')).toContainText('504 model_timeout')
})

test('18 requests stand on a screen of 900 px, and the log begins high beside an open one @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ model: 'sandbox/assistant' })
  const { apiKey } = await owner.newExport(agent.id)
  await Promise.all(Array.from({ length: 20 }, (_, at) => chat(apiKey, `Message ${at}`, `s${at}`)))
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/activity/requests')
  const rows = page.locator('[data-row]')
  await expect(rows).toHaveCount(20)
  expect(await rows.nth(17).evaluate((last) => last.getBoundingClientRect().bottom)).toBeLessThanOrEqual(900)
  await rows.first().locator('.panel-row-link').click()
  await expect(panel(page)).toBeVisible()
  expect((await page.getByRole('table').last().boundingBox())?.y).toBeLessThanOrEqual(240)
  await expect(page.getByRole('columnheader', { name: /^(Time|Status|Message)$/ }).last()).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Agent' })).toHaveCount(0)
})

test('the log is read by keys alone: J, K, Enter, Escape and / @long', async ({ strictPage: page, newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ model: 'sandbox/assistant' })
  const { apiKey } = await owner.newExport(agent.id)
  for (const message of ['First', 'Second', 'Third']) await chat(apiKey, message, 'one')
  await page.goto('/activity/requests')
  await expect(page.getByText('3 requests', { exact: true })).toBeVisible()
  const message = panel(page).getByRole('group', { name: 'Message' })
  for (const key of ['j', 'j', 'k', 'Enter']) await page.keyboard.press(key)
  await expect(message).toContainText('Third')
  await page.keyboard.press('j')
  await expect(message).toContainText('Second')
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(open(page, 'Second')).toBeFocused()
  await page.keyboard.press('/')
  await page.keyboard.type('jk')
  await expect(page.getByRole('searchbox', { name: 'Search requests' })).toHaveValue('jk')
  await expect(page.getByText('No matching requests')).toBeVisible()
})

test('on a phone a row has what the log has, and the filters are a sheet @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ name: 'Order desk', model: 'sandbox/assistant' })
  const { apiKey } = await owner.newExport(agent.id)
  await chat(apiKey, 'Hello', 'one')
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/activity/requests')
  const row = page.locator('[data-row]')
  for (const text of ['Hello', '200', 'answered', '· Order desk', '1 credit'])
    await expect(row.getByText(text, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Filters' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByRole('button', { name: 'User ID' }).click()
  await page.keyboard.type('nobody')
  await expect(page).toHaveURL(/userId=nobody/)
  await sheet.getByRole('button', { name: 'Show results' }).click()
  await expect(page.getByText('No matching requests')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Filters (1)' })).toBeVisible()
})
