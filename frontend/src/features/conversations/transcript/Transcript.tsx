import { Center, Stack } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { dateOf, formatDay } from '@/shared/time'
import { FormError, PendingButton } from '@/shared/ui'
import type { Conversation, Turn } from '../queries'
import { HitSteps } from './HitSteps'
import { boxOf } from './scrolling'
import classes from './Transcript.module.css'
import { TurnItem } from './TurnItem'
import { useHits } from './useHits'
import { useShown } from './useShown'

type Props = {
  turns: Turn[]
  conversation: Conversation
  query: UseInfiniteQueryResult<unknown, Error>
  /** The text that was searched for. */
  text?: string
  /** The number of the turn to show. */
  turn?: number
  /** Whether the text is in that turn's reply. */
  inReply: boolean
}

/** The turns in order. A click loads earlier ones above and keeps the scroll position. */
export function Transcript({ turns, conversation, query, text, turn, inReply }: Props) {
  const { t } = useTranslation('conversations')
  const list = useRef<HTMLOListElement>(null)
  const place = useRef<{ number: number; top: number }>(undefined)
  const first = turns[0]?.number

  const { hits, at, hit, step, error, loaded } = useHits(conversation, text, turn, inReply)
  const sought = hit?.number ?? turn
  // Loads earlier pages until the sought turn is among them.
  const onTheWay = sought !== undefined && first !== undefined && first > sought && query.hasNextPage
  const { isFetching, isFetchNextPageError, fetchNextPage } = query
  useEffect(() => {
    if (onTheWay && !isFetching && !isFetchNextPageError) void fetchNextPage()
  })
  const seen = useShown(list, { hits, hit, turn: sought, ready: loaded && !onTheWay })

  const loadEarlier = () => {
    const top = list.current?.firstElementChild?.getBoundingClientRect().top
    place.current = first === undefined || top === undefined ? undefined : { number: first, top }
    void query.fetchNextPage()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when earlier turns were loaded
  useLayoutEffect(() => {
    const before = place.current
    if (!before || first === before.number) return
    place.current = undefined
    const item = list.current?.querySelector(`[data-turn="${before.number}"]`)
    if (!item) return
    boxOf(item).scrollTop += item.getBoundingClientRect().top - before.top
    // The button disappears after the last page, so the focus moves to the list.
    if (!query.hasNextPage) list.current?.focus({ preventScroll: true })
  }, [first])

  return (
    <Stack gap="sm">
      {error && <FormError error={error} />}
      {text && loaded && !error && <HitSteps hits={hits} at={at} seen={seen || onTheWay} step={step} />}
      {query.hasNextPage && (
        <>
          {query.isFetchNextPageError && <FormError error={query.error} />}
          <Center>
            <PendingButton variant="default" pending={query.isFetchingNextPage} onClick={loadEarlier}>
              {t('loadEarlier')}
            </PendingButton>
          </Center>
        </>
      )}
      <ol ref={list} className={classes.turns} tabIndex={-1} aria-label={t('transcript')}>
        {turns.map((one, at) => (
          <li key={one.id} data-turn={one.number} aria-current={one.number === sought || undefined}>
            <Day time={one.createdAt} before={turns[at - 1]?.createdAt} />
            <TurnItem
              turn={one}
              agent={conversation.agent}
              asked={hits.some(({ number, inReply }) => number === one.number && !inReply)}
              replied={hits.some(({ number, inReply }) => number === one.number && inReply)}
            />
          </li>
        ))}
      </ol>
    </Stack>
  )
}

/** The day of a turn, unless it is that of the turn before. */
function Day({ time, before }: { time: string; before: string | undefined }) {
  if (before !== undefined && dateOf(time) === dateOf(before)) return null
  return (
    <p className={classes.day}>
      <time dateTime={time}>{formatDay(time)}</time>
    </p>
  )
}
