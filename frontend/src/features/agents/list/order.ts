import { successOf } from '@/shared/format'
import { type Sort, sortedBy, sortsOf, timeValue } from '@/shared/ui'
import type { ListedAgent } from '../queries'
import type { FiguresOf } from './figures'

/** The columns by which agents are sorted, as the table has them. */
export const columns = ['name', 'state', 'model', 'exports', 'messages', 'success', 'credits', 'used'] as const
export type Column = (typeof columns)[number]

/** All orders that an address may name. */
export const sorts = sortsOf(columns)

/** The order without another in the address. */
export const usual: Sort<Column> = '-messages'

/** The columns of numbers and times, which show the greatest first. */
export const falling: readonly Column[] = ['exports', 'messages', 'success', 'credits', 'used']

const states = ['LIVE', 'DRAFT', 'OFFLINE']

/**
 * Agents in an order; those that are alike, in the order of their last use. Before the figures have come, all are alike in them.
 */
export function inOrder(agents: readonly ListedAgent[], sort: Sort<Column>, figures: FiguresOf | undefined) {
  const keyOf = (agent: ListedAgent, column: Column) => {
    if (column === 'name') return agent.name
    if (column === 'state') return states.indexOf(agent.state)
    if (column === 'model') return agent.model?.label
    if (column === 'exports') return agent.exports.length
    if (column === 'used') return timeValue(agent.lastUsedAt)
    const counts = figures?.(agent.id)
    return counts && (column === 'success' ? successOf(counts) : counts[column])
  }
  return sortedBy(agents, sort, keyOf, (a, b) => (timeValue(b.lastUsedAt) ?? 0) - (timeValue(a.lastUsedAt) ?? 0))
}
