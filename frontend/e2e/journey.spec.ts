import type { Page } from '@playwright/test'
import { newAccount } from './support/accounts'
import { channels, copied, createExport, keyRegion } from './support/channels'
import { chat } from './support/owner'
import { expect, signIn, test } from './support/test'

test('acceptance 2: from signing in to a refused key, without a reload', async ({ strictPage: page }) => {
  test.slow()
  const account = newAccount({ credits: 10 })
  await page.goto('/')
  await signIn(page, account)
  await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible()
  const stays = await markPage(page)

  await page.getByRole('link', { name: 'Create an agent' }).click()
  await newAgent(page)
  await publish(page)

  // The key is made, copied and used.
  await page.getByRole('button', { name: /^Channels/ }).click()
  const drawer = channels(page)
  await expect(drawer.getByRole('heading', { name: 'Web' })).toBeVisible()
  await expect(drawer.getByRole('heading', { name: 'API', exact: true })).toBeVisible()
  const shown = await createExport(page, 'Web shop')
  const key = await copied(page, drawer.getByRole('button', { name: 'Copy key' }))
  expect(key).toBe(shown)
  await drawer.getByRole('button', { name: 'I have saved the key' }).click()
  await expect(keyRegion(page, 'Web shop')).toHaveCount(0)
  const answered = await chat(key, 'Where is my parcel?', 'customer-42')
  expect(answered.status).toBe(200)

  await seeConversation(page, answered.body.reply ?? '')
  await seeCharge(page)

  // The key is taken back.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Agents' }).click()
  await page.getByRole('link', { name: 'Parcel desk' }).click()
  await page.getByRole('button', { name: /^Channels.*1 API export/ }).click()
  await drawer.getByRole('button', { name: 'Remove “Web shop”' }).click()
  await page
    .getByRole('dialog', { name: 'Remove export “Web shop”?' })
    .getByRole('button', { name: 'Remove export' })
    .click()
  await expect(drawer.getByRole('region', { name: 'Removed exports' })).toContainText('Web shop')
  const refused = await chat(key, 'Still there?', 'customer-42')
  expect(refused).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } })
  await drawer.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('button', { name: /^Channels.*No API export yet/ })).toBeVisible()
  await stays()
})

/** Leaves a mark that a reload would wipe; the function returned checks that it is still there. */
async function markPage(page: Page) {
  await page.evaluate(() => Object.assign(window, { markOfTheTest: true }))
  return async () => expect(await page.evaluate(() => 'markOfTheTest' in window)).toBe(true)
}

async function newAgent(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'New agent' })
  await dialog.getByLabel('Name').fill('Parcel desk')
  await dialog.getByRole('combobox', { name: 'Model' }).click()
  await page.getByRole('option', { name: /1 credit per message/ }).click()
  await dialog.getByRole('button', { name: 'Create agent' }).click()
  await expect(page.getByRole('heading', { name: 'Parcel desk', level: 1 })).toBeVisible()
}

async function publish(page: Page) {
  await expect(page.getByRole('button', { name: 'Publish' })).toBeDisabled()
  await page.getByRole('link', { name: 'Write its instructions' }).click()
  await page.getByRole('textbox', { name: 'Instructions' }).fill('Tell customers where their parcel is.')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('No changes to save.')).toBeVisible()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Publish version 1' }).click()
  await expect(page.getByText('Version 1 is live')).toBeVisible()
}

async function seeConversation(page: Page, reply: string) {
  await channels(page).getByRole('button', { name: 'Close' }).click()
  await page
    .getByRole('navigation', { name: 'Pages of this agent' })
    .getByRole('link', { name: 'Conversations', exact: true })
    .click()
  await page.getByRole('link', { name: 'customer-42' }).click()
  const turn = page.getByRole('article', { name: 'Turn 1' })
  await expect(turn).toContainText('Where is my parcel?')
  await expect(turn).toContainText(reply)
  await expect(turn.getByRole('link', { name: 'Web shop' })).toBeVisible()
}

async function seeCharge(page: Page) {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Credits' }).click()
  const charge = page.getByTestId('credit-entry').filter({ hasText: 'Charge' })
  await expect(charge).toHaveCount(1)
  await expect(charge).toContainText('Parcel desk')
  await expect(charge).toContainText('Web shop')
  await expect(charge.getByRole('cell').nth(4)).toHaveText(/^[-−]1$/)
  await expect(charge.getByRole('cell').nth(5)).toHaveText('9')
  await expect(page.getByTestId('credit-chip')).toHaveText('9', { timeout: 15_000 }) // within 15 s of a chat elsewhere
}
