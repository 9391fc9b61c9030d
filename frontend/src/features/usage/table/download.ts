import { CsvFile } from '@/shared/download'
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
  const file = new CsvFile(header)
  for (const point of used) file.add([point.start, idOf(point), nameOf(point), ...columns.map((name) => point[name])])
  return file.blob()
}
