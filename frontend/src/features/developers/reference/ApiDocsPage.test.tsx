import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'
import { failures } from './reference'

afterEach(() => session.forget())

const partsOf = (container: HTMLElement) => [...container.querySelectorAll('section[id]')].map(({ id }) => id)

// The page comes in pieces, which a busy machine transforms slowly.
test('the reference is readable without a sign-in, and says where to call it from first', async () => {
  answer({
    renewAccess: () => {
      throw refusal('UNAUTHENTICATED', 'Not signed in.')
    },
  })
  const { container } = renderPage('/developers')
  const warning = await screen.findByText('Call the API from your server, not from a browser')
  const address = screen.getByText(`POST ${window.location.origin}/v1/agent/chat`)
  expect(warning.compareDocumentPosition(address)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  // By selectors: the table is too large for roles to be asked for quickly.
  expect(container.querySelectorAll('table[aria-label="Errors"] tbody tr')).toHaveLength(failures.length)
  expect(container.querySelectorAll('a[href="/openapi.yaml"]').length).toBeGreaterThan(0)
  const parts = ['request', 'reply', 'streaming', 'errors', 'retries', 'rules']
  expect(partsOf(container)).toEqual(parts)
  const links = [...container.querySelectorAll('nav a[href*="#"]')]
  expect(links.map((link) => link.getAttribute('href')?.split('#')[1])).toEqual(parts)
  expect(screen.queryByText('GraphQL')).toBeNull()
})

test('the first part calls an agent of the signed-in account through the export of the address', async () => {
  session.signedIn('good', inMinutes(15), Date.now())
  const of = (id: string, name: string) => ({
    id,
    name,
    state: 'ACTIVE',
    agent: { id: `agent-of-${id}`, name: 'Desk' },
  })
  const old = '01a2345b-0000-7000-8000-000000000001'
  answer({
    viewer: { exports: { nodes: [of('new', 'App'), of(old, 'Website')], pageInfo: { hasNextPage: false } } },
    node: ({ id }: { id: string }) => ({
      __typename: 'ApiExport',
      ...of(id, ''),
      requireUserId: id === old,
      userDailyMessageLimit: null,
      pinnedVersion: null,
    }),
  })
  const { container } = renderPage(`/developers?export=${old}#errors`)
  // The text of the program, which is in several pieces once it is coloured.
  const program = () => container.querySelector('section[id=quickstart]')?.textContent
  await waitFor(() => expect(program()).toContain('"user_id"'))
  expect(partsOf(container)[0]).toBe('quickstart')
  expect(container.querySelector('nav a[href*="#errors"]')?.getAttribute('href')).toContain(old)
})
