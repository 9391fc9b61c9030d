import { Paper, Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { May } from '@/features/auth'
import { Section, SettingsFrame } from '@/features/settings'
import type { AuditFilter } from '@/gql/graphql'
import { EmptyState, QueryView, ShowMore } from '@/shared/ui'
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
  return (
    <SettingsFrame title={t('title')}>
      <Section title={t('title')} text={t('text')}>
        <May least="OWNER" otherwise={<Text>{ofSettings('ownersOnly')}</Text>}>
          <AuditFilters />
        </May>
      </Section>
      <May least="OWNER">{filter && <Trail filter={filter} />}</May>
    </SettingsFrame>
  )
}

function Trail({ filter }: { filter: AuditFilter }) {
  const { t } = useTranslation('audit')
  const query = useInfiniteQuery({ ...auditQuery(filter), placeholderData: keepPreviousData })
  return (
    <QueryView query={query}>
      {({ pages }) => {
        const entries = pages.flatMap((page) => trailOf(page).nodes)
        if (entries.length === 0) {
          return (
            <Paper>
              <EmptyState title={t('noMatch')} />
            </Paper>
          )
        }
        return (
          <>
            {/* A download ends when the filter changes. */}
            <Save key={JSON.stringify(filter)} filter={filter} />
            <ShowMore query={query}>
              <Paper
                aria-busy={query.isPlaceholderData}
                opacity={query.isPlaceholderData ? 0.6 : undefined}
                style={{ overflow: 'hidden' }}
              >
                <AuditTable entries={entries} />
              </Paper>
            </ShowMore>
          </>
        )
      }}
    </QueryView>
  )
}
