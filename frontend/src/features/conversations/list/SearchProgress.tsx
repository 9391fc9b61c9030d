import { Button, Loader, Text } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dateOf, formatDate, formatShortDay, serverNow } from '@/shared/time'
import { AllTime, FormError, NoMatch } from '@/shared/ui'
import classes from '../Conversations.module.css'

/** One click continues the search until this many more are found. */
const enough = 20

type Props = {
  query: UseInfiniteQueryResult<unknown, Error>
  /** The time back to which the pages so far reach; null if there was nothing to search. */
  searchedTo?: string | null
  found: number
  /** Whether the search covers all time. */
  ever: boolean
}

/** Shows how far back a text search has come. Each request takes a second at most; a click sends one after the other. */
export function SearchProgress({ query, searchedTo, found, ever }: Props) {
  const { t } = useTranslation('conversations')
  const [until, setUntil] = useState<number>()
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const looking = until !== undefined && hasNextPage && found < until && !isFetchNextPageError
  // After every render: a fast response may leave no render in which the request is in flight.
  useEffect(() => {
    if (looking && !isFetchingNextPage) void fetchNextPage()
  })
  const sum = t('found', { count: found })
  const looked = t(ever ? 'lookedThrough' : 'lookedPeriod', { sum })
  if (found === 0 && !hasNextPage) {
    return <NoMatch title={t('noMatch')} text={<span role="status">{looked}</span>} action={!ever && <AllTime />} />
  }
  return (
    <div>
      {isFetchNextPageError && <FormError error={query.error} />}
      <div className={classes.progress}>
        {looking && <Loader size={14} color="gray" aria-hidden />}
        <Text size="sm" role="status">
          {hasNextPage && searchedTo ? t('lookedBack', { sum, time: dayOf(searchedTo) }) : looked}
        </Text>
        {looking ? (
          <Button size="compact-sm" variant="subtle" onClick={() => setUntil(undefined)}>
            {t('stop')}
          </Button>
        ) : (
          hasNextPage && (
            <Button size="compact-sm" variant="subtle" onClick={() => setUntil(found + enough)}>
              {t('lookFurther')}
            </Button>
          )
        )}
        {!hasNextPage && !ever && <AllTime />}
      </div>
    </div>
  )
}

/** A day, with its year unless it is this one. */
const dayOf = (time: string) =>
  (dateOf(time).slice(0, 4) === dateOf(serverNow()).slice(0, 4) ? formatShortDay : formatDate)(time)
