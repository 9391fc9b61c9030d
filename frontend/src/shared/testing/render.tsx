import { QueryClient } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { Providers } from '../Providers'

/** A query client without retries. */
export function testQueryClient() {
  return new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Number.POSITIVE_INFINITY } } })
}

/** Renders something in the context of a page. */
export function renderInPanel(children: ReactNode, queryClient = testQueryClient()) {
  return render(<Providers queryClient={queryClient}>{children}</Providers>)
}

/** An option of an open list. It has no role to be found by: jsdom does not place the list, which hides it. */
export const findOption = (text: RegExp) =>
  screen.findByText((_, element) => element?.getAttribute('role') === 'option' && text.test(element.textContent ?? ''))
