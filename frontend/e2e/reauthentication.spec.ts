import { createDialog, keyRegion, openChannels } from './support/channels'
import { Keyboard } from './support/keyboard'
import { chat } from './support/owner'
import { proofTooOld } from './support/proof'
import { expect, test } from './support/test'

test('a key asks for the password in place, by the keyboard, and loses nothing that was typed @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  await proofTooOld(page, 'createApiExport')
  await openChannels(page, agent.id)
  const keys = new Keyboard(page)
  await keys.press('button', 'Create API Export')
  await keys.type('Name (optional)', 'Till of the shop')
  await keys.press('button', 'Create API Export')

  const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
  await keys.isAt('textbox', 'Your password')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(createDialog(page).getByLabel('Name (optional)')).toHaveValue('Till of the shop')
  await keys.isAt('button', 'Create API Export')
  await expect(page.getByRole('alert')).toHaveCount(0)

  await page.keyboard.press('Enter')
  await keys.isAt('textbox', 'Your password')
  await page.keyboard.type('not the password')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('That’s not your current password.')).toBeVisible()
  await keys.isAt('textbox', 'Your password')
  await page.keyboard.press('Control+A')
  await page.keyboard.type(owner.account.password)
  await keys.press('button', 'Confirm')

  await expect(keyRegion(page, 'Till of the shop')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  const key = (await page.getByTestId('api-key').textContent()) ?? ''
  expect((await chat(key, 'Hello')).status).toBe(200)
})

test('it stands over the question that asked for it, and Cancel ends neither that nor the sign-in @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const { account } = await newOwner()
  await proofTooOld(page, 'signOutEverywhere')
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  const question = page.getByRole('dialog', { name: 'Sign out everywhere?' })
  const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
  const end = question.getByRole('button', { name: 'Sign out everywhere' })
  await end.click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(end).toBeFocused()
  await expect(page.getByRole('alert')).toHaveCount(0)

  await end.click()
  await dialog.getByLabel('Your password').fill(account.password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
