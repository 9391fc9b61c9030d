import { limitsNear } from '@/shared/format'
import { type Sort, sortedBy, timeValue } from '@/shared/ui'
import type { Column } from './columns'
import { type AccountExport, exportStates } from './queries'

const keyOf = (row: AccountExport, column: Column) =>
  ({
    name: row.name,
    agent: row.agent.name,
    state: exportStates.indexOf(row.state),
    today: row.creditsUsedToday,
    month: row.creditsUsedThisMonth,
    expires: timeValue(row.expiresAt),
    used: timeValue(row.lastUsedAt),
  })[column]

/** Exports in an order, and only those near a limit if asked for. */
export function inOrder(exports: AccountExport[], sort: Sort<Column> | undefined, near = false) {
  const rows = near ? exports.filter((row) => limitsNear(row).length > 0) : exports
  return sort ? sortedBy(rows, sort, keyOf) : rows
}
