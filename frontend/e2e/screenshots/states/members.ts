import { expect } from '../../support/test'
import { at, perWidth, press, refused, type State } from '../state'
import { unknownId } from '../world'

const page = { route: '/settings/members', as: 'joined', path: at('/settings/members') } as const

/** Accounts with several people, and people with several accounts. */
export const members: State[] = [
  { ...page, name: 'members' },
  { ...page, name: 'members-loading', network: 'slow' },
  {
    ...page,
    name: 'members-lower',
    open: async (page) => {
      await page.getByRole('combobox', { name: /^Role of .*Emmy/ }).selectOption('Viewer')
      await expect(page.getByRole('dialog').getByText('Erasures')).toBeVisible()
      await expect(page.getByRole('dialog').getByText('Website')).toBeVisible()
    },
  },
  {
    ...page,
    name: 'members-remove',
    open: async (page) => {
      await press(/^Remove .*Emmy/)(page)
      await expect(page.getByRole('dialog').getByText('Website')).toBeVisible()
    },
  },
  {
    name: 'members-leave',
    route: '/settings/general',
    as: 'joined',
    path: at('/settings/general'),
    open: async (page) => {
      await press('Leave account')(page)
      await expect(page.getByRole('dialog').getByText('Dashboard')).toBeVisible()
    },
  },
  ...perWidth({
    name: 'members-switcher',
    route: '/',
    as: 'joined',
    path: at('/'),
    open: press(/^Switch account from/, 'menu'),
  }),
  { name: 'members-audit', route: '/settings/audit', as: 'joined', path: at('/settings/audit') },
  { name: 'members-tokens', route: '/settings/tokens', as: 'joined', path: at('/settings/tokens') },
  {
    name: 'members-elsewhere',
    route: '/agents/$id',
    as: 'joined',
    path: at(`/agents/${unknownId}`),
    open: (page) => expect(page.getByText('This may be in one of your other accounts')).toBeVisible(),
  },
  {
    name: 'members-factor-required',
    route: '/',
    as: 'joined',
    path: at('/'),
    open: async (page) => {
      await refused(page, 'Viewer', 'SECOND_FACTOR_REQUIRED', 'Turn on two-factor authentication first.')
      await page.reload()
      await expect(page.getByText('Your other accounts')).toBeVisible()
    },
  },
]
