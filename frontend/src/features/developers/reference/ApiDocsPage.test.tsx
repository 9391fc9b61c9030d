import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer, refusal } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'
import { failures } from './reference'

// The page comes in pieces, which a busy machine transforms slowly.
test('the reference is readable without a sign-in, and says where to call it from first', async () => {
  answer({
    renewAccess: () => {
      throw refusal('UNAUTHENTICATED', 'Not signed in.')
    },
  })
  const { container } = renderPage('/developers/reference')
  const warning = await screen.findByText('Call the API from your server, not from a browser')
  const address = screen.getByText(`POST ${window.location.origin}/v1/agent/chat`)
  expect(warning.compareDocumentPosition(address)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  // By selectors: the table is too large for roles to be asked for quickly.
  expect(container.querySelectorAll('table[aria-label="Errors"] tbody tr')).toHaveLength(failures.length)
  expect(container.querySelectorAll('a[href="/openapi.yaml"]').length).toBeGreaterThan(0)
  for (const link of container.querySelectorAll('nav a[href*="#"]')) {
    expect(document.getElementById(link.getAttribute('href')?.split('#')[1] ?? '')).toBeTruthy()
  }
})
