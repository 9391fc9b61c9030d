import type { Sort } from '@/shared/ui'

/** The columns by which exports are sorted, as the table has them. */
export const columns = ['name', 'agent', 'state', 'today', 'expires', 'month', 'used'] as const
export type Column = (typeof columns)[number]

/** An order, which the address may name. Without one, the newest come first. */
export type ExportSort = Sort<Column>

/** The columns of numbers and times, which show the greatest first; what expires first is the more urgent. */
export const falling: readonly Column[] = ['today', 'month', 'used']
