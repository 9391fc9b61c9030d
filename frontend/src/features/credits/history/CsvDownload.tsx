import { useTranslation } from 'react-i18next'
import type { CreditFilter } from '@/gql/graphql'
import { Download } from '@/shared/download'
import { historyCsv } from './download'
import type { CreditEntry } from './queries'

/** Downloads exactly the filtered rows of the history. */
export function CsvDownload({ filter }: { filter: CreditFilter }) {
  const { t } = useTranslation('credits')
  const record = (entry: CreditEntry) => [
    entry.createdAt,
    t(`kinds.${entry.kind}`),
    entry.agentName ?? entry.agent?.name,
    entry.exportName ?? entry.export?.name,
    entry.note,
    entry.amount > 0 ? entry.amount : 0,
    entry.amount < 0 ? -entry.amount : 0,
    entry.balanceAfter,
    entry.turn?.conversationId,
    entry.id,
  ]
  const header = [
    t('csv.time'),
    t('kind'),
    t('agent'),
    t('export'),
    t('csv.note'),
    t('csv.added'),
    t('csv.taken'),
    t('balanceAfter'),
    t('csv.conversation'),
    t('csv.entry'),
  ]

  return (
    <Download
      name="credits"
      formats={[{ ending: 'csv', read: (control) => historyCsv({ ...control, filter, header, record }) }]}
    />
  )
}
