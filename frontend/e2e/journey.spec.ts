import type { Page } from '@playwright/test'
import { newAccount } from './support/accounts'
import { channels, keyRegion } from './support/channels'
import { Keyboard } from './support/keyboard'
import { chat } from './support/owner'
import { expect, test } from './support/test'

test('acceptance 2: from signing in to a refused key, by keyboard alone and without a reload', async ({
  strictPage: page,
}) => {
  test.setTimeout(180_000)
  const account = newAccount({ credits: 10 })
  const keyboard = new Keyboard(page)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])

  await page.goto('/')
  await keyboard.isAt('textbox', 'Email')
  await page.keyboard.type(account.email)
  await keyboard.type('Password', account.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible()
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))
  await keyboard.press('link', 'Create an agent')
  await newAgent(page, keyboard)
  await publish(page, keyboard)

  const key = await createKey(page, keyboard)
  const answered = await chat(key, 'Where is my parcel?', 'customer-42')
  expect(answered.status).toBe(200)
  await findTurnAndCharge(page, keyboard, answered.body.reply ?? '')
  await removeExport(page, keyboard)
  expect(await chat(key, 'Still there?', 'customer-42')).toMatchObject({
    status: 401,
    body: { error: { code: 'unauthorized' } },
  })
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
})

async function newAgent(page: Page, keyboard: Keyboard) {
  await keyboard.isAt('textbox', 'Name')
  await page.keyboard.type('Parcel desk')
  await keyboard.to('combobox', 'Model')
  await page.keyboard.press('Enter')
  await keyboard.choose(/1 credit per message/)
  await keyboard.press('button', 'Create agent')
  await expect(page.getByRole('heading', { name: 'Parcel desk', level: 1 })).toBeVisible()
}

async function publish(page: Page, keyboard: Keyboard) {
  await keyboard.press('link', /^Agent /)
  await keyboard.type('Instructions', 'Tell customers where their parcel is.')
  await expect(page.getByTestId('save-state')).toHaveText('Saved')
  await keyboard.press('button', 'Publish', { back: true })
  await keyboard.type('Note (optional)', 'The first version')
  await keyboard.press('button', 'Publish version 1')
  await expect(page.getByText('Live, version 1')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Live, version 1' })).toBeFocused()
}

async function createKey(page: Page, keyboard: Keyboard): Promise<string> {
  await keyboard.press('link', /^Channels /)
  await keyboard.press('button', 'Create API Export')
  await keyboard.isAt('textbox', 'Name (optional)')
  await page.keyboard.type('Web shop')
  await keyboard.press('button', 'Create API Export')
  await keyboard.isAt('heading', 'Key of “Web shop”')
  await keyboard.press('button', 'Copy key')
  await keyboard.isAt('button', 'Copied')
  const key = await page.evaluate(() => navigator.clipboard.readText())
  expect(key).toBe(await page.getByTestId('api-key').textContent())

  // Leaving asks for confirmation, and declining leads back to the key.
  await keyboard.press('link', 'Versions', { back: true })
  await keyboard.isAt('button', 'Back to the key')
  await page.keyboard.press('Enter')
  await keyboard.isAt('heading', 'Key of “Web shop”')
  await keyboard.press('button', 'I’ve saved the key')
  await expect(keyRegion(page, 'Web shop')).toHaveCount(0)
  await keyboard.isAt('heading', 'API')

  // The programs are reachable too: arrow keys switch their kinds and languages.
  await page.getByRole('radio', { name: 'First call' }).focus() // a segmented control shows the focus on its label
  await page.keyboard.press('ArrowRight')
  await keyboard.isAt('radio', 'Production')
  await keyboard.to('tab', 'cURL')
  await page.keyboard.press('ArrowRight')
  await keyboard.isAt('tab', 'Python')
  await keyboard.to('region', 'Program in Python')
  await expect(channels(page).getByRole('link', { name: 'Web shop' })).toBeVisible()
  return key
}

async function findTurnAndCharge(page: Page, keyboard: Keyboard, reply: string) {
  await keyboard.press('link', 'Activity', { back: true })
  await keyboard.press('link', /customer-42/)
  const turn = page.getByRole('article', { name: 'Turn 1' })
  await expect(turn).toContainText('Where is my parcel?')
  await expect(turn).toContainText(reply)
  await expect(turn.getByRole('link', { name: 'View request' })).toBeVisible()
  await keyboard.press('link', 'Usage & credits', { back: true })
  await keyboard.press('link', 'Credits')
  await keyboard.press('button', /^Today/)
  const charge = page.getByTestId('credit-entry').filter({ hasText: 'Where is my parcel?' })
  await expect(charge).toHaveCount(1)
  await expect(charge).toContainText('Parcel desk')
  await expect(charge).toContainText('Web shop')
  await expect(charge.getByRole('cell').nth(3)).toHaveText(/^[-−]1$/)
  await expect(charge.getByRole('cell').nth(4)).toHaveText('9')
  await expect(page.getByTestId('credit-chip')).toHaveText('9', { timeout: 15_000 }) // within 15 s of a chat elsewhere
}

async function removeExport(page: Page, keyboard: Keyboard) {
  await keyboard.press('link', 'Agents')
  await keyboard.press('link', 'Parcel desk')
  await keyboard.press('link', /^Channels /)
  await keyboard.press('link', 'Web shop')
  await expect(page.getByRole('heading', { name: 'Web shop', level: 1 })).toBeVisible()
  const remove = async () => {
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await keyboard.isAt('menuitem', 'Remove')
    await page.keyboard.press('Enter')
    await keyboard.isAt('button', 'Cancel')
  }
  await keyboard.to('button', 'More actions')
  await remove()
  await page.keyboard.press('Escape')
  await keyboard.isAt('button', 'More actions')
  await remove()
  await keyboard.to('button', 'Remove export')
  await page.keyboard.press('Space')
  const notice = page.getByRole('status').filter({ hasText: 'This export was removed' })
  await expect(notice).toBeFocused()
  await expect(page.getByRole('dialog', { name: /^Remove export/ })).toHaveCount(0)
  await expect(notice).toBeFocused()
}
