import { useTranslation } from 'react-i18next'
import type { AuditFilter } from '@/gql/graphql'
import { type Control, CsvFile, Download, readPages } from '@/shared/download'
import { gql } from '@/shared/gql'
import { AuditLogDocument, type Entry, trailOf } from './queries'
import { useWords } from './useWords'

const pageSize = 100

/** Downloads exactly the filtered entries. */
export function Save({ filter }: { filter: AuditFilter }) {
  const { t } = useTranslation('audit')
  const { did } = useWords()
  const record = (entry: Entry) => {
    const { at, action, actor, subject, details, address, browser, id } = entry
    const fields = details.map(({ field }) => field).join(' ')
    return [
      at,
      did(entry),
      action,
      t(`kinds.${actor.kind}`),
      actor.name,
      actor.actorId,
      subject,
      fields,
      address,
      browser,
      id,
    ]
  }
  const header = [
    t('csv.time'),
    t('what'),
    t('csv.action'),
    t('csv.kind'),
    t('csv.name'),
    t('csv.actor'),
    t('csv.subject'),
    t('csv.fields'),
    t('csv.address'),
    t('csv.browser'),
    t('csv.entry'),
  ]
  const read = async (control: Control) => {
    const file = new CsvFile(header)
    await readPages<Entry>({
      ...control,
      ask: async (after) => {
        const answer = await gql(AuditLogDocument, { first: pageSize, after, filter }, { signal: control.signal })
        const { createdAt } = answer.viewer
        return { ...trailOf(answer), since: filter.from && filter.from > createdAt ? filter.from : createdAt }
      },
      timeOf: ({ at }) => at,
      take: (entries) => {
        for (const entry of entries) file.add(record(entry))
      },
    })
    return file.blob()
  }
  return <Download name="audit" formats={[{ ending: 'csv', read }]} />
}
