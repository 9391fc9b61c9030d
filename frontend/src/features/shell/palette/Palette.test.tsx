import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { renderInPanel } from '@/shared/testing/render'
import { answer, inMinutes } from '@/shared/testing/server'
import { Palette } from './Palette'
import './Hits' // loaded before a test types, which would otherwise ask for everything in one request

/** Lets the service answer what was typed. */
let find = () => {}

beforeEach(() => {
  session.signedIn('good', inMinutes(15), Date.now())
  const found = new Promise<void>((resolve) => {
    find = resolve
  })
  const pageInfo = { hasNextPage: false, hasPreviousPage: false }
  const agents = ['Booking desk', 'Booking of tables'].map((name, at) => ({ id: `a${at}`, name }))
  answer({
    viewer: {
      exports: { nodes: [], pageInfo },
      endUser: async ({ userId }: { userId: string }) => {
        await found
        return ['booking', 'u-7'].includes(userId) ? { userId } : null
      },
      endUsers: { nodes: [], pageInfo },
      conversations: { nodes: [], pageInfo },
      requests: { nodes: [], pageInfo },
    },
    agents: { nodes: agents, pageInfo, totalCount: 2 },
  })
})

afterEach(() => session.forget())

function renderPalette() {
  const routeTree = createRootRoute({ component: () => <Palette showKeys={() => {}} /> })
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: ['/'] }) })
  renderInPanel(<RouterProvider router={router as never} />)
  return () => router.state.location.href
}

async function open(typed: string) {
  const address = renderPalette()
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  await userEvent.type(await field(), typed)
  return address
}

const field = () => screen.findByRole<HTMLInputElement>('combobox', { name: /^Search or jump to/ })
const row = () => within(screen.getByRole('dialog')).getByRole('option', { selected: true })
const chosenIs = (name: string) => waitFor(() => expect(row().textContent).toBe(name))

test('acceptance 5: all that is typed from Ctrl K on is in the field, even before the page is there', async () => {
  const shortcuts: string[] = []
  const hear = ({ key }: KeyboardEvent) => shortcuts.push(key)
  document.addEventListener('keydown', hear)
  const press = (key: string, rest = {}) => fireEvent.keyDown(document.body, { key, ...rest })
  press('x')
  press('k', { ctrlKey: true })
  for (const key of ['g', 'q', 'Backspace', 'u']) press(key)
  renderPalette()
  expect((await field()).value).toBe('gu')
  expect(document.activeElement).toBe(await field())
  act(() => (document.activeElement as HTMLElement).blur())
  await userEvent.keyboard('?')
  expect(document.activeElement).toBe(await field())
  await userEvent.keyboard('x')
  expect((await field()).value).toBe('gu?x')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  document.removeEventListener('keydown', hear)
  expect(shortcuts).toEqual(['x', 'x']) // the last one is the field's own
})

test('acceptance 5: the top row is chosen when better hits arrive, until an arrow key moves', async () => {
  const address = await open('booking')
  await chosenIs('Booking desk')
  find()
  await chosenIs('booking')
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await chosenIs('Booking of tables')
  expect((await field()).getAttribute('aria-activedescendant')).toBe(row().id)
  await userEvent.keyboard('{Enter}')
  expect(address()).toBe('/agents/a1')
})

test('a row that was moved to stays chosen when better hits arrive', async () => {
  await open('booking')
  await chosenIs('Booking desk')
  await userEvent.keyboard('{ArrowDown}')
  find()
  await screen.findByRole('option', { name: 'booking' })
  await chosenIs('Booking of tables')
})

test('acceptance 6: Enter after the ID of a user opens the user, also before it is found', async () => {
  const address = await open('u-7{Enter}')
  expect(address()).toBe('/')
  find()
  await waitFor(() => expect(address()).toBe('/activity/people/person?id=u-7'))
  expect(screen.queryByRole('dialog')).toBeNull()
})
