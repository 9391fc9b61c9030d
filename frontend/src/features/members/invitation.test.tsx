import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'

let load = vi.spyOn(page, 'load')
beforeEach(() => {
  load = vi.spyOn(page, 'load').mockReturnValue()
})
afterEach(() => session.forget())

type Options = { me?: string; known?: boolean; dead?: boolean }

/** A service with an invitation for bob@example.com. */
function service({ me, known = false, dead = false }: Options) {
  const accepted: object[] = []
  const access = { accessToken: 'good', expiresAt: inMinutes(15) }
  if (me) session.signedIn('good', inMinutes(15), Date.now())
  answer({
    serviceInfo: { version: '1', baseUrl: '', signUpOpen: false, creditsHelp: '', supportContact: '', mail: false },
    renewAccess: () => {
      throw refusal('UNAUTHENTICATED', 'Not signed in.')
    },
    signIn: access,
    signOut: { ok: true },
    me: { id: 'u2', email: me },
    invitation: ({ token }: { token: string }) =>
      dead || token !== 'abc'
        ? null
        : {
            accountName: 'Northwind',
            email: 'bob@example.com',
            role: 'EDITOR',
            invitedBy: 'ada@example.com',
            expiresAt: inMinutes(60),
            known,
          },
    acceptInvitation: ({ input }: { input: object }) => {
      accepted.push({ ...input })
      return { account: { accountId: 'n', name: 'Northwind', creditsAvailable: 0 } }
    },
  })
  return accepted
}

const address = '/invitation#token=abc'

test('the page says what one joins, as what, and by whom; a new user chooses a name and a password', async () => {
  const accepted = service({})
  renderPage(address)
  expect(await screen.findByRole('heading', { name: /^Join .*Northwind/ })).toBeTruthy()
  expect((await screen.findByText(/invited/)).textContent).toMatch(/ada@example\.com.*bob@example\.com.*Editor/)
  await userEvent.type(await screen.findByLabelText('Your name'), 'Bob')
  await userEvent.type(screen.getByLabelText('Password'), 'a long enough one')
  expect(accepted).toEqual([]) // opening uses nothing up
  await userEvent.click(screen.getByRole('button', { name: 'Join' }))
  await waitFor(() => expect(load).toHaveBeenCalledWith('/?account=n'))
  expect(accepted).toEqual([{ token: 'abc', name: 'Bob', password: 'a long enough one' }])
})

test('who is signed in as the address joins by one button', async () => {
  const accepted = service({ me: 'bob@example.com', known: true })
  renderPage(address)
  await userEvent.click(await screen.findByRole('button', { name: 'Join' }))
  await waitFor(() => expect(load).toHaveBeenCalledWith('/?account=n'))
  expect(accepted).toEqual([{ token: 'abc' }])
})

test('who is signed in as somebody else is told, and signs out', async () => {
  service({ me: 'eve@example.com' })
  renderPage(address)
  expect((await screen.findByText(/^You’re signed in as/)).textContent).toMatch(/eve@.*bob@/)
  expect(screen.queryByRole('button', { name: 'Join' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Sign out' }))
  expect(await screen.findByLabelText('Your name')).toBeTruthy()
})

test('a known address signs in first and comes back; the token is in no address that a server sees', async () => {
  service({ known: true })
  const { router } = renderPage(address)
  await userEvent.click(await screen.findByRole('link', { name: /^Sign in as/ }))
  await screen.findByRole('heading', { name: 'Sign in' })
  expect(router.state.location.search).toEqual({ next: '/invitation' })
  expect(router.state.location.hash).toBe('token=abc')
  await userEvent.type(screen.getByLabelText('Email'), 'bob@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'secret')
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/invitation'))
  expect(router.state.location.hash).toBe('token=abc')
})

test.each([
  ['a dead link', '/invitation#token=abc', /has expired, was revoked or was already used/],
  ['half a link', '/invitation', /incomplete/],
])('%s says so', async (_, path, text) => {
  service({ dead: true })
  renderPage(path)
  expect(await screen.findByText(text)).toBeTruthy()
})
