import type { Page } from '@playwright/test'
import { fromMenu } from '../../support/menu'
import { expect } from '../../support/test'
import { agent, at, type State, send, sheet, transcript } from '../state'
import { unknownId } from '../world'

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
    route: '/agents/$id/activity/conversations',
    as: 'ada',
    path: agent('/activity/conversations'),
  },
  {
    name: 'conversations-filtered',
    route: '/agents/$id/activity/conversations',
    as: 'ada',
    path: agent('/activity/conversations?search=204&source=API&from=2020-01-01&to=2020-01-02'),
  },
  {
    name: 'conversations-backward',
    route: '/agents/$id/activity/conversations',
    as: 'ada',
    path: agent('/activity/conversations?from=2020-02-01&to=2020-01-02'),
  },
  {
    name: 'conversations-one',
    route: '/agents/$id/activity/conversations',
    as: 'single',
    path: agent('/activity/conversations'),
  },
  {
    name: 'conversations-many',
    route: '/agents/$id/activity/conversations',
    as: 'many',
    path: agent('/activity/conversations'),
  },
  {
    name: 'conversations-long',
    route: '/agents/$id/activity/conversations',
    as: 'long',
    path: agent('/activity/conversations'),
  },
  {
    name: 'conversations-empty',
    route: '/agents/$id/activity/conversations',
    as: 'ada',
    path: ({ draft }) => `/agents/${draft}/activity/conversations`,
  },
  { name: 'conversations-all', route: '/activity/conversations', as: 'ada', path: at('/activity/conversations') },
  {
    name: 'conversations-all-empty',
    route: '/activity/conversations',
    as: 'newcomer',
    path: at('/activity/conversations'),
  },
  {
    name: 'conversations-all-no-match',
    route: '/activity/conversations',
    as: 'ada',
    path: at('/activity/conversations?search=zzz&source=API'),
  },
  { name: 'conversations-all-long', route: '/activity/conversations', as: 'long', path: at('/activity/conversations') },
  {
    name: 'conversations-hits',
    route: '/activity/conversations',
    as: 'ada',
    path: at('/activity/conversations?text=address&time=all'),
  },
  {
    name: 'conversations-filters',
    route: '/activity/conversations',
    as: 'ada',
    path: at('/activity/conversations'),
    open: sheet,
    only: 'narrow',
  },
  {
    name: 'conversations-no-hit',
    route: '/activity/conversations',
    as: 'ada',
    path: at('/activity/conversations?text=zzz'),
  },
  {
    name: 'conversation-hits',
    route: '/activity/conversations/$id',
    as: 'ada',
    path: at('/activity/conversations?text=address&time=all'),
    open: async (page) => {
      await page
        .getByRole('link', { name: /Turn \d+, message/ })
        .first()
        .click()
      await expect(page.getByText(/^Match \d/)).toBeVisible()
    },
  },
  {
    name: 'conversation-no-hit',
    route: '/activity/conversations/$id',
    as: 'ada',
    path: (place) => `${transcript(place)}?text=zzz`,
  },
  { name: 'conversation', route: '/activity/conversations/$id', as: 'ada', path: transcript },
  { name: 'conversation-one', route: '/activity/conversations/$id', as: 'single', path: transcript },
  { name: 'conversation-long', route: '/activity/conversations/$id', as: 'long', path: transcript },
  {
    name: 'conversation-saw',
    route: '/activity/conversations/$id',
    as: 'ada',
    path: transcript,
    open: async (page) => {
      await page.getByRole('button', { name: 'What the model saw' }).last().click()
      await expect(page.getByText('Instructions as sent')).toBeVisible()
    },
  },
  {
    name: 'conversation-continued',
    route: '/activity/conversations/$id',
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
  { name: 'conversation-loading', route: '/activity/conversations/$id', as: 'ada', path: transcript, network: 'slow' },
  {
    name: 'conversation-gone',
    route: '/activity/conversations/$id',
    as: 'ada',
    path: at(`/activity/conversations/${unknownId}`),
  },
  {
    name: 'conversation-delete',
    route: '/activity/conversations/$id',
    as: 'ada',
    path: transcript,
    open: (page) => fromMenu(page, 'Delete conversation'),
  },
  {
    name: 'conversation-delete-all',
    route: '/activity/conversations/$id',
    as: 'ada',
    path: transcript,
    open: (page) => fromMenu(page, 'Delete all with this session ID'),
  },

  // Requests.
  { name: 'requests', route: '/activity/requests', as: 'ada', path: at('/activity/requests') },
  { name: 'requests-many', route: '/activity/requests', as: 'many', path: at('/activity/requests') },
  { name: 'requests-long', route: '/activity/requests', as: 'long', path: at('/activity/requests') },
  { name: 'requests-empty', route: '/activity/requests', as: 'newcomer', path: at('/activity/requests') },
  { name: 'requests-no-match', route: '/activity/requests', as: 'ada', path: at('/activity/requests?search=zzz') },
  {
    name: 'requests-refused',
    route: '/activity/requests',
    as: 'ada',
    path: at('/activity/requests?outcome=REFUSED'),
    open: firstRequest,
  },
  {
    name: 'requests-failed',
    route: '/activity/requests',
    as: 'ada',
    path: at('/activity/requests?outcome=FAILED'),
    open: firstRequest,
  },
  {
    name: 'requests-answered',
    route: '/activity/requests',
    as: 'ada',
    path: at('/activity/requests?outcome=ANSWERED'),
    open: firstRequest,
  },
  {
    name: 'requests-filters',
    route: '/activity/requests',
    as: 'ada',
    path: at('/activity/requests?outcome=FAILED'),
    open: sheet,
    only: 'narrow',
  },
  { name: 'requests-unknown', route: '/activity/requests', as: 'ada', path: at('/activity/requests?id=made-up') },

  { name: 'agent-requests', route: '/agents/$id/activity/requests', as: 'ada', path: agent('/activity/requests') },
  {
    name: 'agent-requests-open',
    route: '/agents/$id/activity/requests',
    as: 'ada',
    path: agent('/activity/requests'),
    open: firstRequest,
  },

  // People of one agent.
  { name: 'end-users', route: '/agents/$id/activity/people', as: 'ada', path: agent('/activity/people') },
  { name: 'end-users-long', route: '/agents/$id/activity/people', as: 'long', path: agent('/activity/people') },
  {
    name: 'end-users-empty',
    route: '/agents/$id/activity/people',
    as: 'ada',
    path: ({ draft }) => `/agents/${draft}/activity/people`,
  },
  {
    name: 'end-users-no-match',
    route: '/agents/$id/activity/people',
    as: 'ada',
    path: agent('/activity/people?search=zzz'),
  },
]
