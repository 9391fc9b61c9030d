import { Button, Group, Loader, Paper, Text } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '@/shared/time'
import { FormError } from '@/shared/ui'
import { AllTime } from './AllTime'

/** One click continues the search until this many more are found. */
const enough = 20

type Props = {
  query: UseInfiniteQueryResult<unknown, Error>
  /** The time back to which the pages so far reach; null if there was nothing to search. */
  searchedTo?: string | null
  found: number
  /** Whether the search covers the last 7 days, the default of lists. */
  lately: boolean
}

/** Shows how far back a text search has come. Each request takes a second at most; a click sends one after the other. */
export function SearchProgress({ query, searchedTo, found, lately }: Props) {
  const { t } = useTranslation('conversations')
  const [until, setUntil] = useState<number>()
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const looking = until !== undefined && hasNextPage && found < until && !isFetchNextPageError
  // After every render: a fast response may leave no render in which the request is in flight.
  useEffect(() => {
    if (looking && !isFetchingNextPage) void fetchNextPage()
  })
  const sum = t('found', { count: found })
  return (
    <Paper px="md" py="xs">
      {isFetchNextPageError && <FormError error={query.error} />}
      <Group justify="space-between" gap="sm" mih={32}>
        <Group gap="xs" role="status">
          {looking && <Loader size={14} color="gray" aria-hidden />}
          <Text size="sm">
            {hasNextPage && searchedTo
              ? t('lookedBack', { sum, time: formatDateTime(searchedTo) })
              : t(lately ? 'lookedLately' : 'lookedThrough', { sum })}
          </Text>
        </Group>
        {looking ? (
          <Button variant="default" onClick={() => setUntil(undefined)}>
            {t('stop')}
          </Button>
        ) : (
          hasNextPage && (
            <Button variant="default" onClick={() => setUntil(found + enough)}>
              {t('lookFurther')}
            </Button>
          )
        )}
        {!hasNextPage && lately && <AllTime />}
      </Group>
    </Paper>
  )
}
