import { expect } from '../../support/test'
import { agent, at, type State } from '../state'

/** Usage and credits. */
export const usage: State[] = [
  // Usage.
  { name: 'agent-usage', route: '/agents/$id/usage', as: 'ada', path: agent('/usage') },
  { name: 'usage', route: '/usage', as: 'ada', path: at('/usage') },
  { name: 'usage-status', route: '/usage', as: 'ada', path: at('/usage?range=24h&split=status') },
  { name: 'usage-users', route: '/usage', as: 'ada', path: at('/usage?range=24h&split=user') },
  { name: 'usage-own', route: '/usage', as: 'ada', path: at('/usage?range=own&from=2026-01-01&to=2020-01-01') },
  { name: 'usage-empty', route: '/usage', as: 'newcomer', path: at('/usage') },

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
