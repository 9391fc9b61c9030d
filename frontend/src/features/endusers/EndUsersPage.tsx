import { Box, Paper, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { AgentFrame } from '@/features/agents'
import { ButtonLink, EmptyState, QueryView, ShowMore } from '@/shared/ui'
import { EndUserSearch } from './EndUserSearch'
import { EndUsersTable } from './EndUsersTable'
import { endUsersQuery } from './queries'

const route = getRouteApi('/_app/agents/$id/end-users')

/** The end users of an agent, whom its callers name by user_id. */
export function EndUsersPage() {
  const { t } = useTranslation('endusers')
  const { id } = route.useParams()
  const { search } = route.useSearch()
  const query = useInfiniteQuery({ ...endUsersQuery(id, search), placeholderData: keepPreviousData })
  // While another agent's end users load, the previous ones must not be shown.
  const pages = query.data?.pages.filter((page) => page.agent.id === id) ?? []
  const agent = pages[0]?.agent
  const rows = pages.flatMap((page) => page.viewer.endUsers.nodes)
  const list = useRef<HTMLElement>(null)
  return (
    <AgentFrame id={id} tabTitle={(name) => t('titleOf', { name })}>
      <Text c="dimmed">{t('description')}</Text>
      <EndUserSearch />
      <section ref={list} tabIndex={-1} aria-label={t('list')} style={{ outline: 'none' }}>
        <QueryView query={query}>
          {() => {
            if (!agent || (rows.length === 0 && query.isPlaceholderData)) return null
            if (rows.length === 0) return <Nothing filtered={Boolean(search)} />
            return (
              <ShowMore query={query}>
                <Box aria-busy={query.isPlaceholderData} opacity={query.isPlaceholderData ? 0.6 : undefined}>
                  <EndUsersTable agent={agent} rows={rows} onErased={() => list.current?.focus()} />
                </Box>
                <Text size="sm" c="dimmed" role="status">
                  {t(query.hasNextPage ? 'countSoFar' : 'count', { count: rows.length })}
                </Text>
              </ShowMore>
            )
          }}
        </QueryView>
      </section>
    </AgentFrame>
  )
}

function Nothing({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation('endusers')
  return (
    <Paper>
      {filtered ? (
        <EmptyState title={t('noMatch')} text={t('noMatchText')} />
      ) : (
        <EmptyState
          icon={<IconUsers size={32} stroke={1.4} aria-hidden />}
          title={t('empty')}
          text={t('emptyText')}
          action={<ButtonLink to="/api-docs">{t('docs')}</ButtonLink>}
        />
      )}
    </Paper>
  )
}
