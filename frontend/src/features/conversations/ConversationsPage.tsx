import { Box, Paper, Text } from '@mantine/core'
import { IconMessages } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AgentTabs } from '@/features/agents'
import { AppLink, ButtonLink, EmptyState, Page, QueryView, ShowMore } from '@/shared/ui'
import { ConversationFilters } from './ConversationFilters'
import { ConversationsTable } from './ConversationsTable'
import { isBackward, toFilter } from './days'
import { conversationsQuery } from './queries'

const route = getRouteApi('/_app/agents/$id/conversations')

/** An agent's conversations, most recent first. */
export function ConversationsPage() {
  const { t } = useTranslation('conversations')
  const { id } = route.useParams()
  const filters = route.useSearch()
  const backward = isBackward(filters)
  const query = useInfiniteQuery({
    ...conversationsQuery(id, toFilter(filters)),
    placeholderData: keepPreviousData,
    enabled: !backward,
  })
  // While another agent's conversations load, the previous ones must not be shown.
  const agent = query.data?.pages[0]?.agent
  const name = agent?.id === id ? agent.name : undefined
  return (
    <Page
      title={name === undefined ? t('title') : t('titleOf', { name })}
      description={t('description')}
      above={
        <AppLink to="/agents" size="sm" w="fit-content">
          {t('agents')}
        </AppLink>
      }
    >
      <AgentTabs id={id} />
      <ConversationFilters />
      {!backward && (
        <QueryView query={query}>
          {({ pages }) => {
            const rows = pages.flatMap((page) => (page.agent.id === id ? page.agent.conversations.nodes : []))
            if (rows.length === 0) {
              if (query.isPlaceholderData) return null
              return (
                <Paper>
                  <Nothing agentId={id} filtered={Object.values(filters).some(Boolean)} />
                </Paper>
              )
            }
            return (
              <ShowMore query={query}>
                <Box aria-busy={query.isPlaceholderData} opacity={query.isPlaceholderData ? 0.6 : undefined}>
                  <ConversationsTable rows={rows} />
                </Box>
                <Text size="sm" c="dimmed" role="status">
                  {t(query.hasNextPage ? 'countSoFar' : 'count', { count: rows.length })}
                </Text>
              </ShowMore>
            )
          }}
        </QueryView>
      )}
    </Page>
  )
}

function Nothing({ agentId, filtered }: { agentId: string; filtered: boolean }) {
  const { t } = useTranslation('conversations')
  if (filtered) return <EmptyState title={t('noMatch')} text={t('noMatchText')} />
  return (
    <EmptyState
      icon={<IconMessages size={32} stroke={1.4} aria-hidden />}
      title={t('empty')}
      text={t('emptyText')}
      action={
        <ButtonLink to="/agents/$id/playground" params={{ id: agentId }}>
          {t('openPlayground')}
        </ButtonLink>
      }
    />
  )
}
