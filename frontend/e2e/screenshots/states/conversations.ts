import type { Page } from '@playwright/test'
import { fromMenu } from '../../support/menu'
import { expect } from '../../support/test'
import { agent, at, press, type State, send, transcript } from '../state'
import { nobody } from '../world'

/** Opens the first request of the list. */
const firstRequest = async (page: Page) => {
  await page.locator('[data-row] .panel-row-link').first().click()
  await expect(page.getByRole('button', { name: 'Copy the request ID' })).toBeVisible()
}

/** Conversations, requests and end users. */
export const conversations: State[] = [
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
  {
    name: 'conversation-saw',
    route: '/conversations/$id',
    as: 'ada',
    path: transcript,
    open: async (page) => {
      await page.getByRole('button', { name: 'What the model saw' }).last().click()
      await expect(page.getByText('Instructions as sent')).toBeVisible()
    },
  },
  {
    name: 'conversation-continued',
    route: '/conversations/$id',
    as: 'ada',
    path: transcript,
    open: async (page) => {
      await page.getByRole('link', { name: 'Continue in Try' }).last().click()
      await expect(page.getByText(/Continues from turn/)).toBeVisible()
      await send(page, 'And then?')
      await page.getByRole('button', { name: 'What the model saw' }).last().click()
      await expect(page.getByText('Instructions as sent')).toBeVisible()
    },
  },
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

  // End users.
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
]
