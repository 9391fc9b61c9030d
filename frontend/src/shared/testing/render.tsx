import { QueryClient } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { Providers } from '../Providers'

/** A query client without retries. */
export function testQueryClient() {
  return new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Number.POSITIVE_INFINITY } } })
}

/** Renders something in the context of a page. */
export function renderInPanel(children: ReactNode, queryClient = testQueryClient()) {
  return render(
    <Providers queryClient={queryClient} env="test">
      {children}
    </Providers>,
  )
}
