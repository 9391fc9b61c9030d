import type { Page } from '@playwright/test'
import { expect } from '../support/test'
import { agent, at, press, type State } from './state'
import { nobody } from './world'

/** Opens the first request of the list. */
const firstRequest = async (page: Page) => {
  await page.getByRole('row').nth(1).getByRole('link').click()
  await expect(page.getByRole('dialog').getByText('Request ID')).toBeVisible()
}

/** The pages of end users, exports, requests and credits. */
export const lists: State[] = [
  // End users.
  { name: 'end-users', route: '/agents/$id/end-users', as: 'ada', path: agent('/end-users') },
  { name: 'end-users-long', route: '/agents/$id/end-users', as: 'long', path: agent('/end-users') },
  {
    name: 'end-users-empty',
    route: '/agents/$id/end-users',
    as: 'ada',
    path: ({ draft }) => `/agents/${draft}/end-users`,
  },
  {
    name: 'end-users-no-match',
    route: '/agents/$id/end-users',
    as: 'ada',
    path: agent('/end-users?search=zzz'),
  },
  {
    name: 'end-users-erase',
    route: '/agents/$id/end-users',
    as: 'ada',
    path: agent('/end-users'),
    open: press(/^Erase/),
  },

  // Exports.
  { name: 'agent-channels', route: '/agents/$id/channels', as: 'ada', path: agent('/channels') },
  { name: 'exports', route: '/exports', as: 'ada', path: at('/exports') },
  { name: 'exports-empty', route: '/exports', as: 'newcomer', path: at('/exports') },
  { name: 'exports-many', route: '/exports', as: 'many', path: at('/exports') },
  { name: 'exports-long', route: '/exports', as: 'long', path: at('/exports') },
  { name: 'exports-removed', route: '/exports', as: 'ada', path: at('/exports?state=REMOVED') },
  { name: 'exports-none-removed', route: '/exports', as: 'newcomer', path: at('/exports?state=REMOVED') },

  // One export.
  { name: 'export', route: '/exports/$id', as: 'ada', path: ({ export: id }) => `/exports/${id}` },
  { name: 'export-two-keys', route: '/exports/$id', as: 'ada', path: ({ twoKeys }) => `/exports/${twoKeys}` },
  { name: 'export-removed', route: '/exports/$id', as: 'ada', path: ({ removed }) => `/exports/${removed}` },
  { name: 'export-long', route: '/exports/$id', as: 'long', path: ({ export: id }) => `/exports/${id}` },
  { name: 'export-gone', route: '/exports/$id', as: 'ada', path: at(`/exports/${nobody}`) },
  { name: 'export-loading', route: '/exports/$id', as: 'ada', path: at(`/exports/${nobody}`), network: 'slow' },
  {
    name: 'export-edit',
    route: '/exports/$id',
    as: 'ada',
    path: ({ export: id }) => `/exports/${id}`,
    open: async (page) => {
      await page.getByRole('button', { name: /^Edit “/ }).click()
      await expect(page.getByRole('form', { name: /^Edit/ })).toBeVisible()
    },
  },
  {
    name: 'export-replace',
    route: '/exports/$id',
    as: 'ada',
    path: ({ export: id }) => `/exports/${id}`,
    open: press('Replace key'),
  },
  {
    name: 'export-replace-time',
    route: '/exports/$id',
    as: 'ada',
    path: ({ export: id }) => `/exports/${id}`,
    open: async (page) => {
      await press('Replace key')(page)
      await page.getByRole('radio', { name: 'At a time' }).click()
      await page.getByRole('button', { name: 'Make the new key' }).click()
      await expect(page.getByText('Choose a time within the next 30 days.')).toBeVisible()
    },
  },
  {
    name: 'export-end-key',
    route: '/exports/$id',
    as: 'ada',
    path: ({ twoKeys }) => `/exports/${twoKeys}`,
    open: async (page) => {
      await page
        .getByRole('button', { name: /^End .* now$/ })
        .last()
        .click()
      await expect(page.getByRole('dialog', { name: /^End the key/ })).toBeVisible()
    },
  },
  {
    name: 'export-move',
    route: '/exports/$id',
    as: 'ada',
    path: ({ twoKeys }) => `/exports/${twoKeys}`,
    open: press(/^Change when/),
  },
  {
    name: 'export-remove',
    route: '/exports/$id',
    as: 'ada',
    path: ({ export: id }) => `/exports/${id}`,
    open: press(/^Remove “/),
  },
  {
    name: 'export-key',
    route: '/exports/$id',
    as: 'single',
    path: ({ export: id }) => `/exports/${id}`,
    open: async (page) => {
      await press('Replace key')(page)
      await page.getByRole('radio', { name: 'At once' }).click()
      await page.getByRole('button', { name: 'Make the new key' }).click()
      await expect(page.getByTestId('api-key')).toBeVisible()
    },
  },

  // Usage.
  { name: 'agent-usage', route: '/agents/$id/usage', as: 'ada', path: agent('/usage') },
  { name: 'usage', route: '/usage', as: 'ada', path: at('/usage') },
  { name: 'usage-status', route: '/usage', as: 'ada', path: at('/usage?range=24h&split=status') },
  { name: 'usage-users', route: '/usage', as: 'ada', path: at('/usage?range=24h&split=user') },
  { name: 'usage-own', route: '/usage', as: 'ada', path: at('/usage?range=own&from=2026-01-01&to=2020-01-01') },
  { name: 'usage-empty', route: '/usage', as: 'newcomer', path: at('/usage') },

  // Requests.
  { name: 'requests', route: '/requests', as: 'ada', path: at('/requests') },
  { name: 'requests-many', route: '/requests', as: 'many', path: at('/requests') },
  { name: 'requests-long', route: '/requests', as: 'long', path: at('/requests') },
  { name: 'requests-empty', route: '/requests', as: 'newcomer', path: at('/requests') },
  { name: 'requests-no-match', route: '/requests', as: 'ada', path: at('/requests?search=zzz') },
  {
    name: 'requests-refused',
    route: '/requests',
    as: 'ada',
    path: at('/requests?outcome=REFUSED'),
    open: firstRequest,
  },
  { name: 'requests-failed', route: '/requests', as: 'ada', path: at('/requests?outcome=FAILED'), open: firstRequest },
  {
    name: 'requests-answered',
    route: '/requests',
    as: 'ada',
    path: at('/requests?outcome=ANSWERED'),
    open: firstRequest,
  },
  { name: 'requests-unknown', route: '/requests', as: 'ada', path: at('/requests?id=made-up') },

  // Credits.
  { name: 'credits', route: '/credits', as: 'ada', path: at('/credits') },
  { name: 'credits-table', route: '/credits', as: 'ada', path: at('/credits?view=table') },
  { name: 'credits-new', route: '/credits', as: 'newcomer', path: at('/credits') },
  { name: 'credits-long', route: '/credits', as: 'long', path: at('/credits') },
  { name: 'credits-none', route: '/credits', as: 'broke', path: at('/credits') },
  { name: 'credits-no-match', route: '/credits', as: 'ada', path: at('/credits?kind=ADJUSTMENT&from=2020-01-01') },
  { name: 'credits-loading', route: '/credits', as: 'ada', path: at('/credits'), network: 'slow' },
  { name: 'credits-error', route: '/credits', as: 'ada', path: at('/credits'), network: 'down' },
  {
    name: 'credits-filter',
    route: '/credits',
    as: 'ada',
    path: at('/credits'),
    open: async (page) => {
      await page.getByRole('combobox', { name: 'Agent' }).click()
      await expect(page.getByRole('option', { name: 'Order desk' })).toBeVisible()
    },
  },
]
