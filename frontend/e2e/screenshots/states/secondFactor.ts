import type { Page } from '@playwright/test'
import { proofTooOld } from '../../support/proof'
import { expect } from '../../support/test'
import { answered, at, press, refused, type State, submit } from '../state'

const wrongCode = 'Wrong code. Each works once. Wait for the next one or use a recovery code.'

/** What a new factor looks like, but for its QR code: one grey square. */
const newFactor = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Agent%20Chat:ada@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Agent%20Chat',
  qrCode:
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
}
const recoveryCodes = Array.from({ length: 10 }, (_, i) => `${i}1c4-90ab-77de-42f0-${i}be5-0913-6ad8-c2f7`)

/** Begins to set a factor up. */
const setUp = async (page: Page) => {
  await answered(page, 'StartSecondFactor', { data: { startSecondFactor: newFactor } })
  await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
  await expect(page.getByTestId('secret')).toBeVisible()
}

/** Loads the page as it is for somebody with a factor. */
const guarded = async (page: Page, recoveryCodesLeft = 8) => {
  await answered(page, 'SecondFactor', { data: { me: { id: 'u', secondFactor: true, recoveryCodesLeft } } })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Turn off two-factor authentication' })).toBeVisible()
}

const security = { route: '/settings/security', as: 'ada', path: at('/settings/security') } as const

/** Second factors, as the network shows them: nobody of this world has one. */
export const secondFactor: State[] = [
  {
    name: 'login-code',
    route: '/login',
    as: 'visitor',
    path: at('/login'),
    open: async (page) => {
      await refused(page, 'SignIn', 'SECOND_FACTOR_REQUIRED', wrongCode)
      await page.getByLabel('Email').fill('ada@example.com')
      await page.getByLabel('Password', { exact: true }).fill('a password')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByLabel('Code', { exact: true }).fill('123 456')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByText(wrongCode)).toBeVisible()
    },
  },
  {
    ...security,
    name: 'settings-factor-set-up',
    open: async (page) => {
      await setUp(page)
      await submit('Turn on')(page)
    },
  },
  {
    ...security,
    name: 'settings-factor-codes',
    open: async (page) => {
      await setUp(page)
      await answered(page, 'ConfirmSecondFactor', { data: { confirmSecondFactor: { recoveryCodes } } })
      await page.getByLabel('Code', { exact: true }).fill('123456')
      await page.getByRole('button', { name: 'Turn on' }).click()
      await page.getByRole('link', { name: 'Profile' }).click()
      await expect(page.getByRole('alertdialog')).toBeVisible()
    },
  },
  { ...security, name: 'settings-factor-on', open: (page) => guarded(page) },
  { ...security, name: 'settings-factor-few', open: (page) => guarded(page, 2) },
  {
    ...security,
    name: 'settings-factor-remove',
    open: async (page) => {
      await guarded(page)
      await press('Turn off two-factor authentication')(page)
    },
  },
  {
    ...security,
    name: 'settings-confirm-code',
    open: async (page) => {
      await guarded(page)
      await proofTooOld(page, 'signOutEverywhere')
      await press('Sign out everywhere')(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
      await expect(page.getByRole('dialog', { name: 'Confirm it’s you' })).toBeVisible()
    },
  },
  {
    name: 'factor-required',
    route: '/',
    as: 'newcomer',
    path: at('/'),
    open: async (page) => {
      await refused(page, 'Viewer', 'SECOND_FACTOR_REQUIRED', 'Turn on two-factor authentication first.')
      await page.reload()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        'This account requires two-factor authentication',
      )
      await setUp(page)
    },
  },
]
