import { expect } from '../../support/test'
import { agent, type State, send } from '../state'

/** Try, next to Build and in the whole window. */
export const playground: State[] = [
  { name: 'try', route: '/agents/$id', as: 'ada', path: agent('?try=window') },
  {
    name: 'try-beside',
    only: 'wide',
    route: '/agents/$id',
    as: 'ada',
    path: agent(),
    open: (page) => send(page, 'Where is my order ORD-20418?'),
  },
  {
    name: 'try-phone',
    only: 'narrow',
    route: '/agents/$id',
    as: 'ada',
    path: agent(),
    open: async (page) => {
      await page.getByRole('radiogroup', { name: 'View' }).getByText('Try').click()
      await send(page, 'Where is my order ORD-20418?')
    },
  },
  {
    name: 'try-values',
    route: '/agents/$id',
    as: 'ada',
    path: agent('?try=window'),
    open: async (page) => {
      await page.getByRole('button', { name: /^Test values/ }).click()
      await expect(page.getByRole('region', { name: 'Test values' })).toBeVisible()
    },
  },
  {
    name: 'try-version',
    route: '/agents/$id',
    as: 'ada',
    path: agent('?version=2&try=window'),
    open: (page) => send(page, 'Where is my order ORD-20418?'),
  },
  {
    name: 'try-chat',
    route: '/agents/$id',
    as: 'ada',
    path: agent('?try=window'),
    open: (page) => send(page, 'Where is my order ORD-20418?', 'Can I still change the delivery address?'),
  },
  {
    name: 'try-waiting',
    route: '/agents/$id',
    as: 'ada',
    path: agent('?try=window'),
    open: (page) => send(page, 'Take your time. [[sandbox delay=20s]]'),
    busy: true,
  },
  {
    name: 'try-failed',
    route: '/agents/$id',
    as: 'ada',
    path: agent('?try=window'),
    open: async (page) => {
      await send(page, 'Are you there? [[sandbox fail=error]]')
      await expect(page.getByText('The model returned an error')).toBeVisible()
    },
  },
  {
    name: 'try-curl',
    route: '/agents/$id',
    as: 'ada',
    path: agent('?try=window'),
    open: async (page) => {
      await send(page, 'Where is my order ORD-20418?')
      await page.getByRole('button', { name: 'Chat options' }).click()
      await page.getByRole('menuitem', { name: 'View as cURL' }).click()
      await expect(page.getByRole('region', { name: 'This message as cURL' })).toBeVisible()
    },
  },
  {
    name: 'try-compare',
    route: '/agents/$id',
    as: 'ada',
    path: agent('?try=compare&version=2'),
    open: (page) => send(page, 'Where is my order ORD-20418?', 'Can I still change the delivery address?'),
  },
  {
    name: 'try-compare-failed',
    route: '/agents/$id',
    as: 'ada',
    path: agent('?try=compare&version=2'),
    open: async (page) => {
      await send(page, 'Are you there? [[sandbox fail=error]]')
      await expect(page.getByText('The model returned an error').first()).toBeVisible()
    },
  },
  { name: 'try-compare-empty', route: '/agents/$id', as: 'ada', path: agent('?try=compare') },
  { name: 'try-long', route: '/agents/$id', as: 'long', path: agent('?try=window') },
  { name: 'try-no-credits', route: '/agents/$id', as: 'broke', path: agent('?try=window') },
  {
    name: 'try-no-model',
    route: '/agents/$id',
    as: 'ada',
    path: ({ bare }) => `/agents/${bare}?try=window`,
  },
]
