import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** How many rows are drawn at first, and with each further click. */
const rowsAtOnce = 100

/**
 * Reads one page of a list after the other while `wanted`: in an order that the service does not have, the first row is the first of
 * all. Only for lists that have an upper bound. After an error the reader goes on by hand.
 */
export function useAllPages(query: UseInfiniteQueryResult<unknown, Error>, wanted = true) {
  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  // After every render: after a page that arrives at once, all of these values are the same.
  useEffect(() => {
    if (wanted && hasNextPage && !isFetching && !isError) void fetchNextPage()
  })
}

/** The first of many rows, and how to show more of them; undefined when all are shown. */
export function useSomeRows<Row>(rows: Row[]) {
  const [most, setMost] = useState(rowsAtOnce)
  return {
    shown: rows.length > most ? rows.slice(0, most) : rows,
    showMore: rows.length > most ? () => setMost(most + rowsAtOnce) : undefined,
  }
}
