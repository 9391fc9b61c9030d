import type { Sort } from '@/shared/ui'

/** The columns by which the service orders exports, as the table has them. */
export const columns = ['name', 'today', 'month', 'used'] as const
export type Column = (typeof columns)[number]

/** An order, which the address may name. */
export type ExportSort = Sort<Column>

export const defaultSort: ExportSort = '-month'

/** The columns of numbers and times, which show the greatest first. */
export const falling: readonly Column[] = ['today', 'month', 'used']
