import { linkOptions } from '@tanstack/react-router'
import { dateOf } from '@/shared/time'
import { type HomeUsage, scales } from './usage'

/** Where the four figures lead: to the days of the period. */
export function figureLinks({ range, at }: Pick<HomeUsage, 'range' | 'at'>) {
  const days = { range: 'own', from: dateOf(at - scales[range].lengthMs), to: dateOf(at) } as const
  return {
    messages: linkOptions({ to: '/usage', search: { ...days, show: 'messages' } }),
    success: linkOptions({ to: '/activity/requests', search: { outcome: 'FAILED' } }),
    time: linkOptions({ to: '/usage', search: { ...days, show: 'time' } }),
  }
}

export const creditsLink = linkOptions({ to: '/usage/credits' })

/** Where each item that needs attention leads: to the page on which one can act on it. */
export const attentionLinks = {
  failing: (agentId: string) => linkOptions({ to: '/activity/requests', search: { agentId, outcome: 'FAILED' } }),
  export: (id: string) => linkOptions({ to: '/exports/$id', params: { id } }),
  unpublished: (id: string) => linkOptions({ to: '/agents/$id', params: { id } }),
}
