import { Center, Stack } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { FormError } from '../forms/FormError'
import { PendingButton } from '../forms/PendingButton'

type Props = {
  query: UseInfiniteQueryResult<unknown, Error>
  /** The loaded part of the list. */
  children: ReactNode
}

/** A list with a button for the next page. If that fails, the error is shown there, and the button retries. */
export function ShowMore({ query, children }: Props) {
  const { t } = useTranslation()
  const list = useRef<HTMLDivElement>(null)
  const shownBefore = useRef<number>(undefined)
  const { hasNextPage, isFetchingNextPage: pending } = query

  const load = () => {
    shownBefore.current = rowsOf(list.current).length
    void query.fetchNextPage()
  }

  // With the last page the button disappears: the focus moves to the first new row, unless the reader has moved on.
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
