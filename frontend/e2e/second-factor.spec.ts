import type { Page } from '@playwright/test'
import { authenticator } from './support/authenticator'
import { Owner } from './support/owner'
import { expect, signIn, test } from './support/test'

const code = (page: Page) => page.getByLabel('Code', { exact: true })
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in' })

/** Sets up a second factor on the current page, and returns the app and the recovery codes. */
async function setUp(page: Page) {
  await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  const secret = (await page.getByTestId('secret').textContent()) ?? ''
  expect(secret).toMatch(/^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/)
  const app = authenticator(secret.replaceAll(' ', ''))
  await expect(code(page)).toBeFocused()
  await code(page).fill('000 000')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('Wrong code.')).toBeVisible()
  await code(page).fill(app.code(0).replace(/^.../, '$& '))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const listed = page.getByTestId('recovery-codes').getByRole('listitem')
  await expect(listed).toHaveCount(10)
  const recoveryCodes = await listed.allTextContents()
  expect(new Set(recoveryCodes).size).toBe(10)
  return { app, recoveryCodes }
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
}

test('a second factor is set up, required, replaced by a recovery code, and removed', async ({
  strictPage: page,
  newOwner,
}) => {
  const { account } = await newOwner()
  const elsewhere = await Owner.signIn(account)
  await page.goto('/settings/security')
  const { app, recoveryCodes } = await setUp(page)
  await expect(elsewhere.gql('{ me { id } }')).rejects.toThrow('UNAUTHENTICATED')

  // The codes are shown only now, so the page asks before the user leaves it.
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await saved).suggestedFilename()).toBe('agent-chat-recovery-codes.txt')
  await page.getByRole('link', { name: 'Agents' }).click()
  await page.getByRole('button', { name: 'Back to the codes' }).click()
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(page.getByText('10 recovery codes left.')).toBeVisible()
  await signOut(page)

  // Signing in requires a code that has not been used, not even to switch the factor on.
  await page.goto('/login?next=/settings/security')
  await signIn(page, account)
  await expect(code(page)).toBeFocused()
  await code(page).fill(app.code(0))
  await signInButton(page).click()
  await expect(page.getByText('Wrong code.')).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(account.email)
  await signInButton(page).click()
  await code(page).fill(app.code(1))
  await signInButton(page).click()
  await expect(page).toHaveURL(/\/settings\/security$/)
  await signOut(page)

  await page.goto('/login?next=/settings/security')
  await signIn(page, account)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
  await signInButton(page).click()
  await expect(page.getByText('9 recovery codes left.')).toBeVisible()
  await expect(page.getByRole('cell', { name: 'Recovery code' }).first()).toBeVisible()

  await page.getByRole('button', { name: 'Turn off two-factor authentication' }).click()
  const dialog = page.getByRole('dialog', { name: 'Turn off two-factor authentication?' })
  await dialog.getByLabel('Your password').fill(account.password)
  await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
  const remove = dialog.getByRole('button', { name: 'Turn off two-factor authentication' })
  await dialog.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
  await remove.click()
  await expect(dialog.getByRole('alert')).toContainText('Wrong code.')
  await dialog.getByLabel('Recovery code').fill(recoveryCodes[1] ?? '')
  await remove.click()
  await expect(page.getByRole('button', { name: 'Set up two-factor authentication' })).toBeVisible()
  await Owner.signIn(account)
})

test('an account that requires a second factor shows its setup, and then the requested page @long', async ({
  strictPage: page,
  newOwner,
}) => {
  const { account } = await newOwner()
  await page.goto('/settings/general')
  const rule = page.getByRole('switch', { name: 'Require two-factor authentication for everyone' })
  await expect(rule).toBeDisabled()
  await page.getByRole('link', { name: 'Security' }).click()
  const { app, recoveryCodes } = await setUp(page)
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await page.getByRole('link', { name: 'General' }).click()
  await rule.click({ force: true })
  await expect(page.getByText('Two-factor authentication is required for everyone')).toBeVisible()
  await expect(rule).toBeChecked()

  await page.getByRole('link', { name: 'Security' }).click()
  await page.getByRole('button', { name: 'Turn off two-factor authentication' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill(account.password)
  await dialog.getByLabel('Code', { exact: true }).fill(app.code(1))
  await dialog.getByRole('button', { name: 'Turn off two-factor authentication' }).click()
  await expect(page.getByRole('heading', { name: 'This account requires two-factor authentication' })).toBeVisible()
  expect(recoveryCodes).toHaveLength(10)

  await page.goto('/usage/credits?kind=GRANT')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This account requires two-factor authentication')
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await setUp(page)
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(page).toHaveURL(/\/usage\/credits\?kind=GRANT$/)
  await expect(page.getByTestId('credit-day').first()).toBeVisible()
})
