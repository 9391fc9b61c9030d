import type { CreditFilter } from '@/gql/graphql'
import { type Control, CsvFile, readPages } from '@/shared/download'
import { gql } from '@/shared/gql'
import { type CreditEntry, CreditHistoryDocument } from './queries'

const pageSize = 100

type Options = Control & {
  filter: CreditFilter
  header: readonly string[]
  record: (entry: CreditEntry) => readonly (string | number | null | undefined)[]
}

/** Reads all pages of the history, newest first, into one CSV. Entries added in the meantime are not included. */
export async function historyCsv({ filter, header, record, ...control }: Options): Promise<Blob> {
  const file = new CsvFile(header)
  await readPages<CreditEntry>({
    ...control,
    ask: async (after) => {
      const { viewer } = await gql(
        CreditHistoryDocument,
        { first: pageSize, after, filter },
        { signal: control.signal },
      )
      const from = filter.from && filter.from > viewer.createdAt ? filter.from : viewer.createdAt
      return { ...viewer.creditHistory, since: from }
    },
    timeOf: (entry) => entry.createdAt,
    take: (entries) => {
      for (const entry of entries) file.add(record(entry))
    },
  })
  return file.blob()
}
