import { expect } from '../support/test'
import { agent, at, press, type State } from './state'

/** The pages of end users, exports and credits. */
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
  { name: 'exports', route: '/exports', as: 'ada', path: at('/exports') },
  { name: 'exports-empty', route: '/exports', as: 'newcomer', path: at('/exports') },
  { name: 'exports-many', route: '/exports', as: 'many', path: at('/exports') },
  { name: 'exports-long', route: '/exports', as: 'long', path: at('/exports') },
  { name: 'exports-removed', route: '/exports', as: 'ada', path: at('/exports?state=REMOVED') },
  { name: 'exports-none-removed', route: '/exports', as: 'newcomer', path: at('/exports?state=REMOVED') },

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
