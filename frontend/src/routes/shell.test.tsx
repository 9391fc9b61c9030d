import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { renderApp } from '@/testing/renderApp'

afterEach(() => session.forget())

function service() {
  session.signedIn('good', inMinutes(15), Date.now())
  answer({
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      creditBalance: 10,
      creditsHeld: 0,
      creditsAvailable: 10,
      usage: [],
    },
    agents: { nodes: [], edges: [], pageInfo: { hasNextPage: false, hasPreviousPage: false }, totalCount: 0 },
    models: [],
  })
}

const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

/** A window as narrow as a phone. */
function onPhone() {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: query.includes('max-width'),
        addEventListener() {},
        removeEventListener() {},
      }) as unknown as MediaQueryList,
  )
}

test('on a phone the other places are under More, which gives the focus back, or to the page when that changes', async () => {
  onPhone()
  service()
  const { router } = renderApp('/agents')
  const bar = within(await screen.findByRole('navigation', { name: 'Main' }))
  expect(bar.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Home',
    'Agents',
    'Activity',
    'Exports',
  ])
  const more = bar.getByRole('button', { name: 'More' })
  await userEvent.click(more)
  await screen.findByRole('dialog', { name: 'More' })
  await userEvent.keyboard('{Escape}')
  await gone()
  await waitFor(() => expect(document.activeElement).toBe(more))

  await userEvent.click(more)
  const drawer = within(await screen.findByRole('dialog', { name: 'More' }))
  expect(drawer.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Usage & credits',
    'API docs',
    'Settings',
  ])
  await userEvent.click(drawer.getByRole('link', { name: 'API docs' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/developers'))
  await waitFor(() => expect(document.activeElement?.id).toBe('content'))
  await gone()
})

test('G and a letter lead to the seven places, ? shows all keys, and single letters can be switched off', async () => {
  service()
  const { router } = renderApp('/agents')
  await screen.findByRole('heading', { name: 'Agents', level: 1 })
  const places = {
    u: '/usage',
    d: '/developers',
    e: '/exports',
    s: '/settings',
    c: '/activity/conversations',
    h: '/',
    a: '/agents',
  }
  for (const [key, path] of Object.entries(places)) {
    for (const pressed of ['g', key]) fireEvent.keyDown(document.body, { key: pressed }) // without a wait between them
    await waitFor(() => expect(router.state.location.pathname).toBe(path))
  }
  await userEvent.click(await screen.findByRole('searchbox', { name: 'Search agents' }))
  await userEvent.keyboard('gh')
  expect(router.state.location.pathname).toBe('/agents')
  await userEvent.click(document.body)
  await userEvent.keyboard('?')
  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  await userEvent.click(dialog.getByRole('switch', { name: /^Single-letter shortcuts/ }))
  await userEvent.keyboard('{Escape}')
  await gone()
  await userEvent.click(document.body)
  await userEvent.keyboard('?gs')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(router.state.location.pathname).toBe('/agents')
  localStorage.removeItem('panel-letters')
})

test('the dialog of a new agent gives the focus back to the button that opened it', async () => {
  service()
  renderApp('/agents')
  const [button] = await screen.findAllByRole('button', { name: 'New agent' })
  if (!button) throw new Error('there is no such button')
  await userEvent.click(button)
  await screen.findByRole('dialog', { name: 'New agent' })
  await userEvent.keyboard('{Escape}')
  await gone()
  await waitFor(() => expect(document.activeElement).toBe(button))
})

test('a page that is opened from the navigation has the focus, after a way back too', async () => {
  service()
  const { router } = renderApp('/agents')
  const open = async (name: string) => userEvent.click(await screen.findByRole('link', { name }))
  const at = async (path: string) => {
    await waitFor(() => expect(router.state.resolvedLocation?.pathname).toBe(path))
    await waitFor(() => expect(document.activeElement?.id).toBe('content'))
  }
  await open('Settings')
  await at('/settings')
  router.history.back()
  await at('/agents')
  await open('Settings')
  await at('/settings')
})

test('the link of a page within the settings is scrolled into view, also after a jump to it', async () => {
  service()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(private readonly resized: () => void) {}
      observe = () => this.resized() // as at the first layout
      disconnect() {}
      unobserve() {}
    },
  )
  const lefts: Record<string, number> = { Data: 700, 'Audit trail': 800 }
  vi.spyOn(HTMLElement.prototype, 'offsetLeft', 'get').mockImplementation(function (this: HTMLElement) {
    return lefts[this.textContent] ?? 0
  })
  const { router } = renderApp('/settings/data')
  const scrolled = () => screen.getByRole('navigation', { name: 'Pages' }).scrollLeft
  await waitFor(() => expect(scrolled()).toBe(lefts.Data))
  await router.navigate({ to: '/settings/audit' })
  await waitFor(() => expect(scrolled()).toBe(lefts['Audit trail']))
})

test('the navigation is there before it is known who is signed in', async () => {
  let know = () => {}
  const known = new Promise<void>((resolve) => {
    know = resolve
  })
  service()
  session.forget()
  answer({
    renewAccess: async () => {
      await known
      return { accessToken: 'good', expiresAt: inMinutes(15) }
    },
    agents: { nodes: [], edges: [], pageInfo: { hasNextPage: false, hasPreviousPage: false }, totalCount: 0 },
  })
  renderApp('/agents')
  expect(await screen.findByRole('link', { name: 'API exports', hidden: true })).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'Agents' })).toBeNull()
  know()
  expect(await screen.findByRole('heading', { name: 'Agents', level: 1 })).toBeTruthy()
})

test('a mistyped address says so within the navigation; a visitor gets the sign-in link', async () => {
  service()
  const { unmount } = renderApp('/dashboard')
  expect(await screen.findByRole('heading', { name: 'Page not found', level: 1 })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Go to Home' }).getAttribute('href')).toBe('/')
  expect(await screen.findByRole('link', { name: 'Agents' })).toBeTruthy()
  unmount()
  session.forget()
  answer({
    renewAccess: () => {
      throw refusal('UNAUTHENTICATED', 'Not signed in.')
    },
  })
  renderApp('/docs/x')
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Sign in' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Agents' })).toBeNull()
})

test('Ctrl+K finds pages, agents and exports by name, and gives the focus back', async () => {
  session.signedIn('good', inMinutes(15), Date.now())
  const pageInfo = { hasNextPage: false, hasPreviousPage: false }
  const agent = { id: 'a1', name: 'Order desk', state: 'DRAFT', hasUnpublishedChanges: false, exports: [] }
  answer({
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      creditBalance: 10,
      creditsHeld: 0,
      creditsAvailable: 10,
      usage: [],
      exports: {
        nodes: [
          { id: 'e1', name: 'Web shop', state: 'ACTIVE', agent },
          { id: 'e2', name: 'Web shop, old', state: 'REMOVED', agent },
        ],
        pageInfo,
      },
    },
    agents: { nodes: [agent], pageInfo, totalCount: 1 },
  })
  const { router } = renderApp('/agents')
  const search = await screen.findByRole('searchbox', { name: 'Search agents' })
  await userEvent.keyboard('/')
  expect(document.activeElement).toBe(search)
  expect((search as HTMLInputElement).value).toBe('')

  await userEvent.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox', { name: /^Search or jump to/ })
  expect(await screen.findByText('Web shop')).toBeTruthy()
  expect(screen.queryByText('Web shop, old')).toBeNull()
  await userEvent.type(field, 'cred')
  await waitFor(() => expect(screen.queryByText('Web shop')).toBeNull())
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('combobox', { name: /^Search or jump to/ })).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(search))

  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.type(await screen.findByRole('combobox', { name: /^Search or jump to/ }), 'web s')
  await screen.findByText('Web shop')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.href).toBe('/exports/e1'))
})

test('Ctrl+K says what there is: pages, the pages within them, and actions', async () => {
  service()
  const { router } = renderApp('/')
  const open = async (typed: string) => {
    await userEvent.keyboard('{Control>}k{/Control}')
    await userEvent.type(await screen.findByRole('combobox', { name: /^Search or jump to/ }), typed)
  }
  await screen.findByRole('button', { name: 'Search or jump to…' })
  await open('near a')
  await screen.findByText('Show exports near a limit')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.href).toBe('/exports?near=true'))
  await open('secur')
  const field = await screen.findByRole('combobox', { name: /^Search or jump to/ })
  for (const name of ['Account tokens', 'Members', 'Notifications', 'Audit trail', 'Security']) {
    await userEvent.clear(field)
    await userEvent.paste(name)
    await screen.findByText(name)
  }
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.href).toBe('/settings/security'))
  await open('keyboard')
  await screen.findByText('Show keyboard shortcuts')
  await userEvent.keyboard('{Enter}')
  const keys = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  expect(keys.getByText('Select from the last selected row')).toBeTruthy()
})

test('Ctrl+K finds people and sessions by a part of their IDs, and says when nothing matches', async () => {
  service()
  const of = (ids: string[], search: string) => ids.filter((id) => id.includes(search))
  type Args = { filter: { search: string } }
  answer({
    viewer: {
      id: '1',
      name: 'Ada',
      creditsAvailable: 10,
      usage: [],
      exports: { nodes: [], pageInfo: { hasNextPage: false } },
      endUsers: ({ filter }: Args) => ({ nodes: of(['maria'], filter.search).map((userId) => ({ userId })) }),
      conversations: ({ filter }: Args) => ({
        nodes: of(['wa-mari'], filter.search).map((sessionId) => ({
          id: 'c1',
          sessionId,
          agent: { id: 'a1', name: 'Desk' },
        })),
      }),
      requests: { nodes: [] },
    },
  })
  const { router } = renderApp('/agents')
  await screen.findByRole('heading', { name: 'Agents', level: 1 })
  await userEvent.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox', { name: /^Search or jump to/ })
  await userEvent.type(field, 'mari')
  expect(await screen.findByText('wa-mari')).toBeTruthy()
  await userEvent.type(field, 'zzz')
  expect(await screen.findByText(/^No conversation, user or request ID contains .*marizzz.*\.$/)).toBeTruthy()
  await userEvent.clear(field)
  await userEvent.type(field, 'mari')
  await userEvent.click(await screen.findByText('maria'))
  // Ending while the page loads would leave a broken module to the files that share this worker.
  await waitFor(() => expect(router.state.resolvedLocation?.href).toBe('/activity/people/person?id=maria'))
})
