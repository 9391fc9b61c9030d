import { Center, Stack } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { FormError } from './FormError'
import { PendingButton } from './PendingButton'

type Props = {
  query: UseInfiniteQueryResult<unknown, Error>
  /** The list as far as it is loaded: a table, and what is said of it. */
  children: ReactNode
}

/** A list with a button for its next page. A failed page says so there, and the button tries it again. */
export function ShowMore({ query, children }: Props) {
  const { t } = useTranslation()
  const list = useRef<HTMLDivElement>(null)
  const shownBefore = useRef<number>(undefined)
  const { hasNextPage, isFetchingNextPage: pending } = query

  const load = () => {
    shownBefore.current = rowsOf(list.current).length
    void query.fetchNextPage()
  }

  // The button goes with the last page: reading goes on at the first new row, unless the reader is elsewhere by then.
  useEffect(() => {
    const shown = shownBefore.current
    if (pending || shown === undefined) return
    shownBefore.current = undefined
    if (!hasNextPage && document.activeElement === document.body) focusRow(rowsOf(list.current)[shown])
  }, [pending, hasNextPage])

  return (
    <Stack gap="sm" ref={list}>
      {children}
      {hasNextPage && (
        <>
          {query.isFetchNextPageError && <FormError error={query.error} />}
          <Center>
            <PendingButton variant="default" pending={pending} onClick={load}>
              {t('showMore')}
            </PendingButton>
          </Center>
        </>
      )}
    </Stack>
  )
}

const rowsOf = (list: HTMLElement | null) => Array.from(list?.querySelectorAll<HTMLElement>('tbody > tr') ?? [])

function focusRow(row: HTMLElement | undefined) {
  const link = row?.querySelector<HTMLElement>('.panel-row-link')
  if (row && !link) row.tabIndex = -1
  const target = link ?? row
  target?.focus()
}
