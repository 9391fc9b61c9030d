import { Box, Paper, Text } from '@mantine/core'
import { IconMessages } from '@tabler/icons-react'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState, QueryView, ShowMore } from '@/shared/ui'
import { ConversationsTable } from './ConversationsTable'
import type { ListedConversation } from './queries'

type Props<Data> = {
  query: UseInfiniteQueryResult<Data, Error>
  rowsOf: (data: Data) => ListedConversation[]
  filtered: boolean
  /** What to do where there are none yet. */
  next: ReactNode
  emptyText: string
}

/** The conversations of a query, or why there are none. */
export function ConversationList<Data>({ query, rowsOf, filtered, next, emptyText }: Props<Data>) {
  const { t } = useTranslation('conversations')
  return (
    <QueryView query={query}>
      {(data) => {
        const rows = rowsOf(data)
        if (rows.length === 0) {
          if (query.isPlaceholderData) return null
          return (
            <Paper>
              {filtered ? (
                <EmptyState title={t('noMatch')} text={t('noMatchText')} />
              ) : (
                <EmptyState
                  icon={<IconMessages size={32} stroke={1.4} aria-hidden />}
                  title={t('empty')}
                  text={emptyText}
                  action={next}
                />
              )}
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
  )
}
