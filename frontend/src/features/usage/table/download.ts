import { byteOrderMark, csvRecord } from '@/shared/download'
import type { UsageData, UsagePoint } from '../queries'

const columns = ['messages', 'failed', 'refused', 'credits', 'inputTokens', 'outputTokens'] as const

/** What each interval and each key used, one per row, with the names that the API uses. Rows of no use are left out. */
export function usageCsv({ split, points }: UsageData, nameOf: (point: UsagePoint) => string): Blob {
  const header = ['start', `${split}Id`, split, ...columns]
  const idOf = (point: UsagePoint) =>
    ({
      agent: point.agent?.id,
      export: point.export?.id,
      model: point.model,
      user: point.userId,
      status: point.status,
    })[split]
  const used = points.filter((point) => columns.some((name) => point[name] > 0))
  const records = used.map((point) => [point.start, idOf(point), nameOf(point), ...columns.map((name) => point[name])])
  return new Blob([byteOrderMark, ...[header, ...records].map(csvRecord)], { type: 'text/csv;charset=utf-8' })
}
