import { expect } from '../../support/test'
import { at, type State, sheet } from '../state'

/** Usage and credits. */
export const usage: State[] = [
  // Usage.
  { name: 'usage', route: '/usage', as: 'ada', path: at('/usage') },
  { name: 'usage-agent', route: '/usage', as: 'ada', path: ({ agent }) => `/usage?agent=${agent}&split=export` },
  { name: 'usage-status', route: '/usage', as: 'ada', path: at('/usage?split=status') },
  { name: 'usage-users', route: '/usage', as: 'ada', path: at('/usage?split=user') },
  { name: 'usage-own', route: '/usage', as: 'ada', path: at('/usage?range=own&from=2026-01-01&to=2020-01-01') },
  { name: 'usage-time', route: '/usage', as: 'ada', path: at('/usage?show=time') },
  { name: 'usage-filters', route: '/usage', as: 'ada', path: at('/usage'), open: sheet, only: 'narrow' },
  { name: 'usage-empty', route: '/usage', as: 'newcomer', path: at('/usage') },

  // Credits.
  { name: 'credits', route: '/usage/credits', as: 'ada', path: at('/usage/credits') },
  { name: 'credits-closed', route: '/usage/credits', as: 'ada', path: at('/usage/credits?open=none') },
  { name: 'credits-new', route: '/usage/credits', as: 'newcomer', path: at('/usage/credits') },
  { name: 'credits-long', route: '/usage/credits', as: 'long', path: at('/usage/credits') },
  { name: 'credits-none', route: '/usage/credits', as: 'broke', path: at('/usage/credits') },
  { name: 'credits-no-match', route: '/usage/credits', as: 'ada', path: at('/usage/credits?kind=ADJUSTMENT') },
  { name: 'usage-loading', route: '/usage', as: 'ada', path: at('/usage'), network: 'slow' },
  { name: 'credits-loading', route: '/usage/credits', as: 'ada', path: at('/usage/credits'), network: 'slow' },
  { name: 'credits-error', route: '/usage/credits', as: 'ada', path: at('/usage/credits'), network: 'down' },
  {
    name: 'credits-filter',
    route: '/usage/credits',
    as: 'ada',
    path: at('/usage/credits'),
    open: async (page) => {
      await page.getByRole('combobox', { name: 'Agent' }).click()
      await expect(page.getByRole('option', { name: 'Order desk' })).toBeVisible()
    },
  },
]
