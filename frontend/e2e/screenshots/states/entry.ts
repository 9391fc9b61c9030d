import { expect } from '../../support/test'
import { answered, at, perWidth, press, type State, submit } from '../state'

/** Of a service that sends mail. */
const serviceInfo = { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: '', supportContact: '', mail: true }

const invitation = {
  accountName: 'Northwind Trading',
  email: 'k.holm@northwind.example',
  role: 'EDITOR',
  invitedBy: 'anna.berg@northwind.example',
  expiresAt: '2030-01-31T12:00:00Z',
  known: false,
}

/** The pages before signing in, the home page, and what stands on every page. */
export const entry: State[] = [
  // Before signing in.
  { name: 'login', route: '/login', as: 'visitor', path: at('/login?next=/agents') },
  { name: 'login-invalid', route: '/login', as: 'visitor', path: at('/login'), open: submit('Sign in') },
  {
    name: 'login-refused',
    route: '/login',
    as: 'visitor',
    path: at('/login'),
    open: async (page) => {
      await page.getByLabel('Email').fill('ada@example.com')
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByRole('alert')).toBeVisible()
    },
  },
  {
    name: 'login-forgotten',
    route: '/login',
    as: 'visitor',
    path: at('/login'),
    open: (page) => page.getByRole('button', { name: 'Forgot your password?' }).click(),
  },
  { name: 'forgot', route: '/forgot', as: 'visitor', path: at('/forgot') },
  {
    name: 'forgot-with-mail',
    route: '/forgot',
    as: 'visitor',
    path: at('/forgot'),
    open: async (page) => {
      await answered(page, 'ServiceInfo', { data: { serviceInfo } })
      await page.reload()
      await submit('Send link')(page)
    },
  },
  { name: 'reset-dead', route: '/reset', as: 'visitor', path: at('/reset#token=x') },
  { name: 'reset-incomplete', route: '/reset', as: 'visitor', path: at('/reset') },
  { name: 'verify', route: '/verify', as: 'visitor', path: at('/verify#token=x') },
  {
    name: 'verify-refused',
    route: '/verify',
    as: 'visitor',
    path: at('/verify#token=x'),
    open: async (page) => {
      await page.getByRole('button', { name: 'Confirm email' }).click()
      await expect(page.getByRole('alert')).toBeVisible()
    },
  },
  { name: 'verify-new', route: '/verify', as: 'visitor', path: at('/verify#new&token=x') },
  { name: 'undo-address', route: '/undo-address', as: 'visitor', path: at('/undo-address#token=x') },
  { name: 'invitation-dead', route: '/invitation', as: 'visitor', path: at('/invitation#token=x') },
  {
    name: 'invitation',
    route: '/invitation',
    as: 'visitor',
    path: at('/invitation#token=x'),
    open: async (page) => {
      await answered(page, 'InvitationPreview', { data: { invitation } })
      await page.reload()
      await expect(page.getByRole('button', { name: 'Join' })).toBeVisible()
    },
  },
  { name: 'signup', route: '/signup', as: 'visitor', path: at('/signup') },
  { name: 'signup-invalid', route: '/signup', as: 'visitor', path: at('/signup'), open: submit('Sign up') },

  // Home.
  { name: 'home', route: '/', as: 'ada', path: at('/') },
  { name: 'home-week', route: '/', as: 'ada', path: at('/?range=7d') },
  { name: 'home-many', route: '/', as: 'many', path: at('/') },
  { name: 'home-first-run', route: '/', as: 'newcomer', path: at('/') },
  {
    name: 'home-first-call',
    route: '/',
    as: 'starter',
    path: at('/'),
    open: async (page) => {
      await page.getByRole('button', { name: 'Nothing happening?' }).click()
      await expect(page.getByText('401: the key is wrong')).toBeVisible()
    },
  },
  { name: 'home-one', route: '/', as: 'single', path: at('/') },
  { name: 'home-long', route: '/', as: 'long', path: at('/') },
  { name: 'home-no-credits', route: '/', as: 'broke', path: at('/') },
  { name: 'home-loading', route: '/', as: 'ada', path: at('/'), network: 'slow' },
  { name: 'home-error', route: '/', as: 'ada', path: at('/'), network: 'down' },
  ...perWidth({ name: 'account-menu', route: '/', as: 'ada', path: at('/'), open: press(/^Account:/, 'menu') }),
  ...perWidth({ name: 'account-menu-long', route: '/', as: 'long', path: at('/'), open: press(/^Account:/, 'menu') }),
  { name: 'nav', route: '/', as: 'ada', path: at('/'), open: press('More'), only: 'narrow' },
  {
    name: 'palette',
    route: '/',
    as: 'ada',
    path: at('/'),
    open: async (page) => {
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('option').or(page.getByText('Order desk').last()).first()).toBeVisible()
    },
  },
  {
    name: 'palette-found',
    route: '/',
    as: 'ada',
    path: at('/'),
    open: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search' }).fill('maria')
      await expect(page.getByText('maria.lopez@example.com').last()).toBeVisible()
    },
  },
  {
    name: 'keys',
    route: '/',
    as: 'ada',
    path: at('/'),
    open: async (page) => {
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog').getByText('Esc', { exact: true })).toBeVisible()
    },
  },
  { name: 'not-found', route: '/', as: 'ada', path: at('/settings/nowhere') },
  { name: 'not-found-address', route: '/', as: 'ada', path: at('/dashboard'), missing: true },
]
