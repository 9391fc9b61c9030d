import { compareNames, successOf } from '@/shared/format'
import type { Sort } from '@/shared/ui'
import type { ListedAgent } from '../queries'
import type { FiguresOf } from './figures'

/** The columns by which agents are sorted, as the table has them. */
export const columns = ['name', 'state', 'model', 'exports', 'messages', 'success', 'credits', 'used'] as const
export type Column = (typeof columns)[number]

/** All orders that an address may name. */
export const sorts: readonly Sort<Column>[] = columns.flatMap((column): Sort<Column>[] => [column, `-${column}`])

/** The order without another in the address. */
export const usual: Sort<Column> = '-messages'

/** The columns of numbers and times, which show the greatest first. */
export const falling: readonly Column[] = ['exports', 'messages', 'success', 'credits', 'used']

const states = ['LIVE', 'DRAFT', 'OFFLINE']

/**
 * Agents in an order. Those without a value come last, whichever way it goes; those that are alike, in the order of their last
 * use. Before the figures have come, all are alike in them.
 */
export function inOrder(agents: readonly ListedAgent[], sort: Sort<Column>, figures: FiguresOf | undefined) {
  const column = sort.replace('-', '') as Column
  const sign = sort.startsWith('-') ? -1 : 1
  const compare = compareNames()
  const keyOf = (agent: ListedAgent): string | number | null => {
    if (column === 'name') return agent.name
    if (column === 'state') return states.indexOf(agent.state)
    if (column === 'model') return agent.model?.label ?? null
    if (column === 'exports') return agent.exports.length
    if (column === 'used') return usedAt(agent)
    const counts = figures?.(agent.id)
    if (!counts) return null
    return column === 'success' ? successOf(counts) : counts[column]
  }
  const keyed = agents.map((agent) => ({ agent, value: keyOf(agent) }))
  keyed.sort(({ agent: a, value: x }, { agent: b, value: y }) => {
    const alike = (usedAt(b) ?? 0) - (usedAt(a) ?? 0)
    if (x === null || y === null) return Number(x === null) - Number(y === null) || alike
    const order = typeof x === 'string' ? compare(x, String(y)) : x - Number(y)
    return sign * order || alike
  })
  return keyed.map(({ agent }) => agent)
}

const usedAt = ({ lastUsedAt }: ListedAgent) => (lastUsedAt == null ? null : Date.parse(lastUsedAt))
