import { Center, Stack } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { FormError, PendingButton } from '@/shared/ui'
import classes from './Conversations.module.css'
import type { Conversation, Turn } from './queries'
import { TurnItem } from './TurnItem'

type Props = { turns: Turn[]; agent: Conversation['agent']; query: UseInfiniteQueryResult<unknown, Error> }

/** The turns in order. Earlier ones load above on click, and the scroll position stays. */
export function Transcript({ turns, agent, query }: Props) {
  const { t } = useTranslation('conversations')
  const list = useRef<HTMLOListElement>(null)
  const place = useRef<{ number: number; top: number }>(undefined)
  const first = turns[0]?.number

  const loadEarlier = () => {
    const top = list.current?.firstElementChild?.getBoundingClientRect().top
    place.current = first === undefined || top === undefined ? undefined : { number: first, top }
    void query.fetchNextPage()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when earlier turns have come
  useLayoutEffect(() => {
    const before = place.current
    if (!before || first === before.number) return
    place.current = undefined
    const item = list.current?.querySelector(`[data-turn="${before.number}"]`)
    if (!item) return
    window.scrollBy(0, item.getBoundingClientRect().top - before.top)
    // With the last page the button disappears, and the focus with it.
    if (!query.hasNextPage) list.current?.focus({ preventScroll: true })
  }, [first])

  return (
    <Stack gap="sm">
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
        {turns.map((turn) => (
          <li key={turn.id} data-turn={turn.number}>
            <TurnItem turn={turn} agent={agent} />
          </li>
        ))}
      </ol>
    </Stack>
  )
}
