import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError } from '@/shared/gql'
import { renderInPanel } from '@/shared/testing/render'
import { ShowMore } from './ShowMore'

/** A list of three pages of two rows; each page after the first waits to be let through or refused. */
function pagedList() {
  const waiting: { pass: () => void; refuse: () => void }[] = []
  const load = (page: number) =>
    new Promise<number[]>((resolve, reject) => {
      const pass = () => resolve([2 * page, 2 * page + 1])
      const refuse = () => reject(new ApiError('INTERNAL', 'The fault is ours.', { requestId: 'req-3' }))
      if (page === 0) pass()
      else waiting.push({ pass, refuse })
    })
  function List() {
    const query = useInfiniteQuery({
      queryKey: ['list'],
      queryFn: ({ pageParam }) => load(pageParam),
      initialPageParam: 0,
      getNextPageParam: (_, pages) => (pages.length < 3 ? pages.length : undefined),
    })
    return (
      <>
        <input aria-label="Elsewhere" />
        <ShowMore query={query as UseInfiniteQueryResult<unknown, Error>}>
          <table>
            <tbody>
              {query.data?.pages.flat().map((row) => (
                <tr key={row}>
                  <td>Row {row}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ShowMore>
      </>
    )
  }
  renderInPanel(<List />)
  return waiting
}

const button = () => screen.findByRole('button', { name: 'Show more' })
const rows = (count: number) => waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(count))

test('the button keeps the focus while a page loads, and asks for it once', async () => {
  const waiting = pagedList()
  const more = (await button()) as HTMLButtonElement
  more.focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(more.getAttribute('aria-disabled')).toBe('true'))
  expect(more.disabled).toBe(false)
  expect(document.activeElement).toBe(more)
  await userEvent.keyboard('{Enter}')
  expect(waiting).toHaveLength(1)
  waiting[0]?.pass()
  await rows(4)
  await waitFor(() => expect(more.getAttribute('aria-disabled')).toBeNull())
  expect(document.activeElement).toBe(more)
})

test('with the last page the first new row has the focus', async () => {
  const waiting = pagedList()
  ;(await button()).focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(waiting).toHaveLength(1))
  waiting[0]?.pass()
  await rows(4)
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(waiting).toHaveLength(2))
  waiting[1]?.pass()
  await rows(6)
  expect(screen.queryByRole('button')).toBeNull()
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Row 4'))
})

test('a reader who has moved on keeps the focus', async () => {
  const waiting = pagedList()
  await userEvent.click(await button())
  await waitFor(() => expect(waiting).toHaveLength(1))
  waiting[0]?.pass()
  await rows(4)
  await userEvent.click(await button())
  await waitFor(() => expect(waiting).toHaveLength(2))
  await userEvent.click(screen.getByLabelText('Elsewhere'))
  waiting[1]?.pass()
  await rows(6)
  expect(document.activeElement).toBe(screen.getByLabelText('Elsewhere'))
})

test('a page that fails says so, keeps the focus, and is tried again', async () => {
  const waiting = pagedList()
  const more = await button()
  more.focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(waiting).toHaveLength(1))
  waiting[0]?.refuse()
  expect((await screen.findByRole('alert')).textContent).toContain('req-3')
  expect(document.activeElement).toBe(more)
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(waiting).toHaveLength(2))
  waiting[1]?.pass()
  await rows(4)
  expect(screen.queryByRole('alert')).toBeNull()
})
