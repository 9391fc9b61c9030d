import { randomUUID } from 'node:crypto'
import { proofTooOld } from '../../support/proof'
import { expect } from '../../support/test'
import { answered, at, press, refused, type State, submit } from '../state'

/** Makes values that no earlier visit of the same account used: an address is invited only once, and
 * a name is saved only if it changes. */
const another = () => randomUUID().slice(0, 8)

/** Settings and the developer pages. */
export const settings: State[] = [
  { name: 'settings', route: '/settings', as: 'ada', path: at('/settings') },
  { name: 'settings-long', route: '/settings', as: 'long', path: at('/settings') },
  { name: 'settings-general', route: '/settings/general', as: 'ada', path: at('/settings/general') },
  { name: 'settings-security', route: '/settings/security', as: 'ada', path: at('/settings/security') },
  { name: 'settings-members', route: '/settings/members', as: 'ada', path: at('/settings/members') },
  { name: 'settings-members-long', route: '/settings/members', as: 'long', path: at('/settings/members') },
  {
    name: 'settings-invite',
    route: '/settings/members',
    as: 'ada',
    path: at('/settings/members'),
    open: press('Invite'),
  },
  {
    name: 'settings-invited',
    route: '/settings/members',
    as: 'newcomer',
    path: at('/settings/members'),
    open: async (page) => {
      await press('Invite')(page)
      await page.getByLabel('Email').fill(`bob@${another()}.example.com`)
      await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
      await expect(page.getByRole('dialog').getByText('Shown only once.')).toBeVisible()
    },
  },
  {
    name: 'settings-end-all',
    route: '/settings/security',
    as: 'ada',
    path: at('/settings/security'),
    open: press('Sign out everywhere'),
  },
  { name: 'settings-data', route: '/settings/data', as: 'ada', path: at('/settings/data') },
  {
    name: 'settings-data-older',
    route: '/settings/data',
    as: 'ada',
    path: at('/settings/data'),
    open: async (page) => {
      const counted = { conversations: 10_000, more: true }
      await answered(page, 'RetentionPreview', { data: { viewer: { id: 'a', retentionPreview: counted } } })
      await page.getByRole('textbox', { name: 'Days' }).fill('30')
      await expect(page.getByRole('button', { name: 'Save and delete' })).toBeVisible()
    },
  },
  {
    name: 'settings-data-failed',
    route: '/settings/data',
    as: 'ada',
    path: at('/settings/data'),
    open: async (page) => {
      await refused(page, 'RetentionPreview', 'INTERNAL', 'Something went wrong on our side.')
      await page.getByRole('textbox', { name: 'Days' }).fill('30')
      await expect(page.getByText('Couldn’t count the conversations. Try again.')).toBeVisible()
    },
  },
  {
    name: 'settings-delete',
    route: '/settings/data',
    as: 'ada',
    path: at('/settings/data'),
    open: press('Delete account'),
  },
  {
    name: 'settings-confirm',
    route: '/settings/security',
    as: 'ada',
    path: at('/settings/security'),
    open: async (page) => {
      await proofTooOld(page, 'signOutEverywhere')
      await press('Sign out everywhere')(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
      const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
      await dialog.getByLabel('Your password').fill('not the password')
      await dialog.getByRole('button', { name: 'Confirm' }).click()
      await expect(dialog.getByText('That’s not your current password.')).toBeVisible()
    },
  },
  {
    name: 'settings-change-address',
    route: '/settings',
    as: 'ada',
    path: at('/settings'),
    open: press('Change email', 'dialog'),
  },
  {
    name: 'settings-saved',
    route: '/settings/general',
    as: 'newcomer',
    path: at('/settings/general'),
    open: async (page) => {
      await page.getByLabel('Account name').fill(`Grace ${another()} Hopper`)
      await page.getByLabel('Account name').press('Enter')
      await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    },
  },
  {
    name: 'settings-invalid',
    route: '/settings/security',
    as: 'ada',
    path: at('/settings/security'),
    open: submit('Change password'),
  },
  { name: 'developers', route: '/developers', as: 'ada', path: at('/developers') },
  { name: 'developers-none', route: '/developers', as: 'newcomer', path: at('/developers') },
  { name: 'graphql', route: '/developers/graphql', as: 'ada', path: at('/developers/graphql') },
  { name: 'tokens', route: '/settings/tokens', as: 'ada', path: at('/settings/tokens') },
  { name: 'api-docs-visitor', route: '/developers', as: 'visitor', path: at('/developers') },
]
