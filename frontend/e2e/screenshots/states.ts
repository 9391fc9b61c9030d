import { readFileSync } from 'node:fs'
import { fromMenu } from '../support/menu'
import { proofTooOld } from '../support/proof'
import { expect } from '../support/test'
import { lists } from './lists'
import { agent, at, node, press, publishing, type State, send, submit, transcript, within } from './state'
import { nobody } from './world'

const listed: State[] = [
  // Before signing in.
  { name: 'login', route: '/login', as: 'visitor', path: at('/login?next=/agents') },
  { name: 'login-invalid', route: '/login', as: 'visitor', path: at('/login'), open: submit('Sign in') },
  {
    name: 'login-refused',
    route: '/login',
    as: 'visitor',
    path: at('/login'),
    open: async (page) => {
      await page.getByLabel('E-mail address').fill('ada@example.com')
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
  { name: 'signup', route: '/signup', as: 'visitor', path: at('/signup') },
  { name: 'signup-invalid', route: '/signup', as: 'visitor', path: at('/signup'), open: submit('Sign up') },

  // Home.
  { name: 'home', route: '/', as: 'ada', path: at('/') },
  { name: 'home-week', route: '/', as: 'ada', path: at('/?range=7d') },
  { name: 'home-many', route: '/', as: 'many', path: at('/') },
  { name: 'home-first-run', route: '/', as: 'newcomer', path: at('/') },
  { name: 'home-one', route: '/', as: 'single', path: at('/') },
  { name: 'home-long', route: '/', as: 'long', path: at('/') },
  { name: 'home-no-credits', route: '/', as: 'broke', path: at('/') },
  { name: 'home-loading', route: '/', as: 'ada', path: at('/'), network: 'slow' },
  { name: 'home-error', route: '/', as: 'ada', path: at('/'), network: 'down' },
  { name: 'account-menu', route: '/', as: 'ada', path: at('/'), open: press('Account of Ada Lovelace', 'menu') },
  { name: 'account-menu-long', route: '/', as: 'long', path: at('/'), open: press(/^Account of/, 'menu') },
  { name: 'nav', route: '/', as: 'ada', path: at('/'), open: press('Menu'), only: 'narrow' },
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
  { name: 'not-found', route: '/', as: 'ada', path: at('/settings/nowhere') },
  { name: 'not-found-address', route: '/', as: 'ada', path: at('/dashboard'), missing: true },

  // Agents.
  { name: 'agents', route: '/agents', as: 'ada', path: at('/agents') },
  { name: 'agents-empty', route: '/agents', as: 'newcomer', path: at('/agents') },
  { name: 'agents-one', route: '/agents', as: 'single', path: at('/agents') },
  { name: 'agents-many', route: '/agents', as: 'many', path: at('/agents') },
  { name: 'agents-long', route: '/agents', as: 'long', path: at('/agents') },
  { name: 'agents-no-match', route: '/agents', as: 'ada', path: at('/agents?search=zzz&state=DRAFT') },
  { name: 'agents-loading', route: '/agents', as: 'ada', path: at('/agents'), network: 'slow' },
  { name: 'agents-error', route: '/agents', as: 'ada', path: at('/agents'), network: 'down' },
  { name: 'agents-new', route: '/agents', as: 'ada', path: at('/agents'), open: press('New agent') },
  {
    name: 'agents-new-model',
    route: '/agents',
    as: 'ada',
    path: at('/agents'),
    open: async (page) => {
      await press('New agent')(page)
      await page.getByRole('combobox', { name: 'Model' }).click()
      await expect(page.getByRole('option').first()).toBeVisible()
    },
  },

  // One agent.
  { name: 'agent', route: '/agents/$id', as: 'ada', path: agent() },
  { name: 'agent-draft', route: '/agents/$id', as: 'ada', path: ({ draft }) => `/agents/${draft}` },
  { name: 'agent-bare', route: '/agents/$id', as: 'ada', path: ({ bare }) => `/agents/${bare}` },
  { name: 'agent-long', route: '/agents/$id', as: 'long', path: agent() },
  { name: 'agent-loading', route: '/agents/$id', as: 'ada', path: agent(), network: 'slow' },
  { name: 'agent-gone', route: '/agents/$id', as: 'ada', path: at(`/agents/${nobody}`) },
  { name: 'agent-node', route: '/agents/$id', as: 'ada', path: agent('?node=agent') },
  { name: 'agent-node-long', route: '/agents/$id', as: 'long', path: agent('?node=agent') },
  {
    name: 'agent-variables',
    route: '/agents/$id',
    as: 'ada',
    path: agent('?node=agent'),
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Instructions' }).press('End')
      await page.getByRole('textbox', { name: 'Instructions' }).pressSequentially(' Be {{tone}} about {{topic}}.')
      await page.locator('summary', { hasText: 'Variables' }).click()
      await page.getByRole('button', { name: 'Add variable tone' }).click()
      await page.getByRole('button', { name: 'Add variable', exact: true }).click()
      await expect(page.getByRole('group', { name: 'Variable 2' })).toBeVisible()
    },
  },
  {
    name: 'agent-leave',
    route: '/agents/$id',
    as: 'ada',
    path: agent('?node=agent'),
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Instructions' }).press('End')
      await page.getByRole('textbox', { name: 'Instructions' }).pressSequentially(' And smile.')
      await page.getByRole('link', { name: 'Versions' }).click()
      await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
    },
  },
  { name: 'model-node', route: '/agents/$id', as: 'ada', path: agent('?node=model') },
  { name: 'channels', route: '/agents/$id', as: 'ada', path: agent('?node=channels'), open: node },
  {
    name: 'channels-draft',
    route: '/agents/$id',
    as: 'ada',
    path: ({ draft }) => `/agents/${draft}?node=channels`,
    open: node,
  },
  { name: 'channels-long', route: '/agents/$id', as: 'long', path: agent('?node=channels'), open: node },
  { name: 'channels-many', route: '/agents/$id', as: 'many', path: agent('?node=channels'), open: node },
  {
    name: 'channels-confirm',
    route: '/agents/$id',
    as: 'single',
    path: agent('?node=channels'),
    open: async (page) => {
      await proofTooOld(page, 'createApiExport')
      await within('Create API Export')(page)
      await expect(page.getByRole('dialog', { name: 'Confirm your password' })).toBeVisible()
    },
  },
  {
    name: 'channels-key',
    route: '/agents/$id',
    as: 'single',
    path: agent('?node=channels'),
    open: within('Create API Export', (page) => expect(page.getByTestId('api-key')).toBeVisible()),
  },
  {
    name: 'channels-key-asking',
    route: '/agents/$id',
    as: 'single',
    path: agent('?node=channels'),
    open: within('Create API Export', async (page) => {
      await expect(page.getByTestId('api-key')).toBeVisible()
      await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click()
      await expect(page.getByRole('alertdialog')).toBeVisible()
    }),
  },
  {
    name: 'agent-delete',
    route: '/agents/$id',
    as: 'ada',
    path: agent(),
    open: (page) => fromMenu(page, 'Delete agent'),
  },
  {
    name: 'agent-delete-long',
    route: '/agents/$id',
    as: 'long',
    path: agent(),
    open: (page) => fromMenu(page, 'Delete agent'),
  },
  {
    name: 'agent-offline',
    route: '/agents/$id',
    as: 'ada',
    path: agent(),
    open: (page) => fromMenu(page, 'Take offline'),
  },
  {
    name: 'agent-discard',
    route: '/agents/$id',
    as: 'ada',
    path: agent(),
    open: async (page) => {
      await fromMenu(page, 'Discard changes')
      await expect(page.getByRole('dialog').getByText('4 lines added')).toBeVisible()
    },
  },
  { name: 'publish', route: '/agents/$id', as: 'ada', path: agent(), open: publishing },
  {
    name: 'publish-first',
    route: '/agents/$id',
    as: 'ada',
    path: ({ draft }) => `/agents/${draft}`,
    open: publishing,
  },
  { name: 'publish-long', route: '/agents/$id', as: 'long', path: agent(), open: publishing },

  // Versions.
  { name: 'versions', route: '/agents/$id/versions', as: 'ada', path: agent('/versions?open=2') },
  { name: 'versions-draft', route: '/agents/$id/versions', as: 'ada', path: agent('/versions?open=3&against=draft') },
  { name: 'versions-first', route: '/agents/$id/versions', as: 'ada', path: agent('/versions?open=1') },
  { name: 'versions-long', route: '/agents/$id/versions', as: 'long', path: agent('/versions?open=2') },
  {
    name: 'versions-empty',
    route: '/agents/$id/versions',
    as: 'ada',
    path: ({ draft }) => `/agents/${draft}/versions`,
  },
  {
    name: 'versions-restore',
    route: '/agents/$id/versions',
    as: 'ada',
    path: agent('/versions'),
    open: press('Restore to draft'),
  },

  // Playground.
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

  // Conversations.
  {
    name: 'conversations',
    route: '/agents/$id/conversations',
    as: 'ada',
    path: agent('/conversations'),
  },
  {
    name: 'conversations-filtered',
    route: '/agents/$id/conversations',
    as: 'ada',
    path: agent('/conversations?search=204&source=API&from=2020-01-01&to=2020-01-02'),
  },
  {
    name: 'conversations-backward',
    route: '/agents/$id/conversations',
    as: 'ada',
    path: agent('/conversations?from=2020-02-01&to=2020-01-02'),
  },
  {
    name: 'conversations-one',
    route: '/agents/$id/conversations',
    as: 'single',
    path: agent('/conversations'),
  },
  { name: 'conversations-many', route: '/agents/$id/conversations', as: 'many', path: agent('/conversations') },
  { name: 'conversations-long', route: '/agents/$id/conversations', as: 'long', path: agent('/conversations') },
  {
    name: 'conversations-empty',
    route: '/agents/$id/conversations',
    as: 'ada',
    path: ({ draft }) => `/agents/${draft}/conversations`,
  },
  { name: 'conversations-all', route: '/conversations', as: 'ada', path: at('/conversations') },
  { name: 'conversations-all-empty', route: '/conversations', as: 'newcomer', path: at('/conversations') },
  {
    name: 'conversations-all-no-match',
    route: '/conversations',
    as: 'ada',
    path: at('/conversations?search=zzz&source=API'),
  },
  { name: 'conversations-all-long', route: '/conversations', as: 'long', path: at('/conversations') },
  { name: 'conversation', route: '/conversations/$id', as: 'ada', path: transcript },
  { name: 'conversation-one', route: '/conversations/$id', as: 'single', path: transcript },
  { name: 'conversation-long', route: '/conversations/$id', as: 'long', path: transcript },
  { name: 'conversation-gone', route: '/conversations/$id', as: 'ada', path: at(`/conversations/${nobody}`) },
  {
    name: 'conversation-delete',
    route: '/conversations/$id',
    as: 'ada',
    path: transcript,
    open: (page) => fromMenu(page, 'Delete conversation'),
  },
  {
    name: 'conversation-delete-all',
    route: '/conversations/$id',
    as: 'ada',
    path: transcript,
    open: (page) => fromMenu(page, 'Delete all with this session ID'),
  },

  // End users, exports and credits.
  ...lists,

  // Settings and the reference.
  { name: 'settings', route: '/settings', as: 'ada', path: at('/settings') },
  { name: 'settings-long', route: '/settings', as: 'long', path: at('/settings') },
  { name: 'settings-end-all', route: '/settings', as: 'ada', path: at('/settings'), open: press('End all sign-ins') },
  { name: 'settings-delete', route: '/settings', as: 'ada', path: at('/settings'), open: press('Delete account') },
  {
    name: 'settings-confirm',
    route: '/settings',
    as: 'ada',
    path: at('/settings'),
    open: async (page) => {
      await proofTooOld(page, 'signOutEverywhere')
      await press('End all sign-ins')(page)
      await page.getByRole('dialog').getByRole('button', { name: 'End all sign-ins' }).click()
      const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
      await dialog.getByLabel('Your password').fill('not the password')
      await dialog.getByRole('button', { name: 'Confirm' }).click()
      await expect(dialog.getByText('This is not the current password.')).toBeVisible()
    },
  },
  {
    name: 'settings-saved',
    route: '/settings',
    as: 'newcomer',
    path: at('/settings'),
    open: async (page) => {
      await page.getByLabel('Your name').fill('Grace B. Hopper')
      await page.getByRole('button', { name: 'Save name' }).click()
      await expect(page.getByText('Name saved')).toBeVisible()
    },
  },
  { name: 'settings-invalid', route: '/settings', as: 'ada', path: at('/settings'), open: submit('Change password') },
  { name: 'api-docs', route: '/api-docs', as: 'ada', path: at('/api-docs') },
  { name: 'api-docs-visitor', route: '/api-docs', as: 'visitor', path: at('/api-docs') },
]

const tree = readFileSync(new URL('../../src/routeTree.gen.ts', import.meta.url), 'utf8')
const [, byTo = ''] = /interface FileRoutesByTo \{(.*?)\n\}/s.exec(tree) ?? []

/** Every route of the panel. */
export const routes = [...byTo.matchAll(/^ {2}'(.+?)':/gm)].map(([, route]) => route ?? '')

/** A route without parameters that has no state above is looked at as it opens. */
const others = routes.filter((route) => !route.includes('$') && listed.every((state) => state.route !== route))

export const states: State[] = [
  ...listed,
  ...others.map((route): State => ({ name: route.slice(1), route, as: 'ada', path: at(route) })),
]
