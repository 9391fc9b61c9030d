import { expect } from '../../support/test'
import { agent, press, type State, send } from '../state'

/** The playground of an agent. */
export const playground: State[] = [
  { name: 'playground', route: '/agents/$id/playground', as: 'ada', path: agent('/playground') },
  {
    name: 'playground-values',
    route: '/agents/$id/playground',
    as: 'ada',
    path: agent('/playground'),
    open: async (page) => {
      await page.getByRole('button', { name: 'Values' }).click()
      await expect(page.getByRole('region', { name: 'Values' })).toBeVisible()
    },
  },
  {
    name: 'playground-version',
    route: '/agents/$id/playground',
    as: 'ada',
    path: agent('/playground?version=2'),
    open: (page) => send(page, 'Where is my order ORD-20418?'),
  },
  {
    name: 'playground-chat',
    route: '/agents/$id/playground',
    as: 'ada',
    path: agent('/playground'),
    open: (page) => send(page, 'Where is my order ORD-20418?', 'Can I still change the delivery address?'),
  },
  {
    name: 'playground-waiting',
    route: '/agents/$id/playground',
    as: 'ada',
    path: agent('/playground'),
    open: (page) => send(page, 'Take your time. [[sandbox delay=20s]]'),
    busy: true,
  },
  {
    name: 'playground-failed',
    route: '/agents/$id/playground',
    as: 'ada',
    path: agent('/playground'),
    open: async (page) => {
      await send(page, 'Are you there? [[sandbox fail=error]]')
      await expect(page.getByText('The model failed to answer')).toBeVisible()
    },
  },
  {
    name: 'playground-curl',
    route: '/agents/$id/playground',
    as: 'ada',
    path: agent('/playground'),
    open: async (page) => {
      await send(page, 'Where is my order ORD-20418?')
      await press('As cURL')(page)
    },
  },
  { name: 'playground-long', route: '/agents/$id/playground', as: 'long', path: agent('/playground') },
  { name: 'playground-no-credits', route: '/agents/$id/playground', as: 'broke', path: agent('/playground') },
  {
    name: 'playground-no-model',
    route: '/agents/$id/playground',
    as: 'ada',
    path: ({ bare }) => `/agents/${bare}/playground`,
  },
]
