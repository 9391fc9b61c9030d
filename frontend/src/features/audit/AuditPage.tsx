import { Group, Paper, Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { May, useViewer } from '@/features/auth'
import { membersQuery } from '@/features/members'
import { Section, SettingsFrame } from '@/features/settings'
import type { AuditFilter } from '@/gql/graphql'
import { formatSpan, useNow } from '@/shared/time'
import { agentChoicesQuery, exportChoicesQuery, NoMatch, PrintHead, QueryView, ShowMore, TableShape } from '@/shared/ui'
import { AuditFilters } from './AuditFilters'
import { AuditTable } from './AuditTable'
import { auditQuery, trailOf } from './queries'
import { Save } from './Save'
import { useAuditSearch } from './useAuditSearch'

/** What was done in the account, for its owners. */
export function AuditPage() {
  const { t } = useTranslation('audit')
  const { filter } = useAuditSearch()
  const { t: ofSettings } = useTranslation('settings')
  const account = useViewer().data?.viewer.name
  return (
    <SettingsFrame title={t('title')}>
      <PrintHead account={account} period={usePeriod(filter)} />
      <Section title={t('title')} text={t('text')}>
        <May least="OWNER" otherwise={<Text>{ofSettings('ownersOnly')}</Text>}>
          <AuditFilters />
        </May>
      </Section>
      <May least="OWNER">
        <Trail filter={filter} />
      </May>
    </SettingsFrame>
  )
}

/** The days of the filter, for paper; undefined if it has no first one. */
function usePeriod(filter: AuditFilter) {
  const now = useNow()
  const start = Date.parse(filter.from ?? '')
  const end = filter.to ? Math.min(Date.parse(filter.to) - 1, now) : now
  return start <= end ? formatSpan(start, end) : undefined
}

function Trail({ filter }: { filter: AuditFilter }) {
  const { t } = useTranslation('audit')
  const query = useInfiniteQuery({ ...auditQuery(filter), placeholderData: keepPreviousData })
  // Asked for along with the entries, which only have their IDs.
  const members = useQuery(membersQuery).data?.viewer.members
  const agents = useQuery(agentChoicesQuery).data
  const exports = useQuery(exportChoicesQuery(undefined)).data
  return (
    <QueryView query={query} loading={<TableShape rows={10} />}>
      {({ pages }) => {
        const account = pages[0]?.viewer.id
        const entries = pages.flatMap((page) => trailOf(page).nodes)
        if (entries.length === 0) return <NoMatch title={t('noMatch')} />
        return (
          <>
            {/* A download ends when the filter changes. */}
            <Group justify="flex-end">
              <Save key={JSON.stringify(filter)} filter={filter} />
            </Group>
            <ShowMore query={query}>
              <Paper
                aria-busy={query.isPlaceholderData}
                opacity={query.isPlaceholderData ? 0.6 : undefined}
                style={{ overflow: 'hidden' }}
              >
                <AuditTable entries={entries} named={{ account, members, agents, exports }} />
              </Paper>
            </ShowMore>
          </>
        )
      }}
    </QueryView>
  )
}
