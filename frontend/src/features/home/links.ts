import { linkOptions } from '@tanstack/react-router'
import type { Range } from './usage'

/** Where the four figures lead. */
export const figureLinks = (range: Range) => ({
  messages: linkOptions({ to: '/usage', search: { range } }),
  success: linkOptions({ to: '/requests', search: { outcome: 'FAILED' } }),
  time: linkOptions({ to: '/usage', search: { range } }),
})

export const creditsLink = linkOptions({ to: '/credits' })

/** Where each item that needs attention leads: to the page on which one can act on it. */
export const attentionLinks = {
  failing: (agentId: string) => linkOptions({ to: '/requests', search: { agentId, outcome: 'FAILED' } }),
  export: (id: string) => linkOptions({ to: '/exports/$id', params: { id } }),
  unpublished: (id: string) => linkOptions({ to: '/agents/$id', params: { id } }),
  credits: () => linkOptions({ to: '/credits' }),
}
