import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal, type Seen } from '@/shared/testing/server'
import { renderApp } from '@/testing/renderApp'

afterEach(() => session.forget())

const serviceInfo = {
  version: '1.0.0',
  baseUrl: 'http://localhost:8080',
  signUpOpen: true,
  creditsHelp: 'Write to the operator',
  supportContact: 'https://help.example.com',
  mail: false,
}

type Given = { signedIn?: boolean; secondFactor?: boolean; signUpOpen?: boolean; startingCredits?: number }

/** A service with one account. `signedIn` decides whether the refresh cookie is good. */
function service({ signedIn = false, secondFactor = false, ...info }: Given = {}) {
  const calls = { signIns: 0 }
  const guarded =
    <T,>(value: T) =>
    (_: unknown, seen: Seen) => {
      if (seen.authorization !== 'Bearer good') throw refusal('UNAUTHENTICATED', 'Not signed in.')
      return value
    }
  const account = {
    id: '1',
    email: 'ada@example.com',
    name: 'Ada',
    creditBalance: 100,
    creditsHeld: 0,
    creditsAvailable: 100,
  }
  const pageInfo = { hasNextPage: false, hasPreviousPage: false }
  answer({
    serviceInfo: { ...serviceInfo, ...info },
    renewAccess: () => {
      if (!signedIn) throw refusal('UNAUTHENTICATED', 'Not signed in.')
      return { accessToken: 'good', expiresAt: inMinutes(15) }
    },
    signIn: ({ input }: { input: { email: string; password: string; code?: string } }) => {
      calls.signIns++
      if (input.email !== 'ada@example.com' || input.password !== 'right password') {
        throw refusal('INVALID_CREDENTIALS', 'Wrong email or password.')
      }
      if (secondFactor && !input.code) throw refusal('SECOND_FACTOR_REQUIRED', 'A code is needed.')
      if (secondFactor && input.code !== '123 456') throw refusal('SECOND_FACTOR_REQUIRED', 'Wrong code.')
      return { accessToken: 'good', expiresAt: inMinutes(15), account }
    },
    viewer: guarded(account),
    agents: guarded({ nodes: [], edges: [], pageInfo, totalCount: 0 }),
  })
  return calls
}

async function signIn(password: string) {
  await userEvent.type(await screen.findByLabelText('Email'), ' ada@example.com ')
  await userEvent.type(screen.getByLabelText('Password'), password)
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
}

test('a page that needs a sign-in leads to it, and back to the same address', async () => {
  service()
  const { router } = renderApp('/agents?search=shop&state=DRAFT')
  await signIn('right password')
  expect(await screen.findByRole('heading', { name: 'Agents', level: 1 })).toBeTruthy()
  expect(router.state.location.href).toBe('/agents?search=shop&state=DRAFT')
  expect(await screen.findByText('No matching agents')).toBeTruthy()
})

test('a wrong password says so, and keeps the address typed', async () => {
  service()
  renderApp('/login')
  await signIn('wrong password')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe('Wrong email or password.')
  expect((screen.getByLabelText('Email') as HTMLInputElement).value).toContain('ada@example.com')
})

test('a second factor is asked for after the password, and loses nothing that was typed', async () => {
  service({ secondFactor: true })
  const { router } = renderApp('/login?next=/agents')
  await signIn('right password')
  const field = (await screen.findByLabelText('Code')) as HTMLInputElement
  expect([field.autocomplete, field.inputMode]).toEqual(['one-time-code', 'numeric'])
  expect(document.activeElement).toBe(field)
  expect(screen.queryByText('A code is needed.')).toBeNull()
  await userEvent.type(field, '000000{Enter}')
  expect(await screen.findByText('Wrong code.')).toBeTruthy()
  expect([field.value, document.activeElement]).toEqual(['000000', field])
  await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }))
  expect([field.autocomplete, field.inputMode]).toEqual(['off', 'text'])
  expect(document.activeElement).toBe(screen.getByLabelText('Recovery code'))
  await userEvent.click(screen.getByRole('button', { name: 'Back' }))
  expect((screen.getByLabelText('Password') as HTMLInputElement).value).toBe('right password')
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  await userEvent.click(await screen.findByLabelText('Code'))
  await userEvent.paste(' 123 456 ')
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByRole('heading', { name: 'Agents', level: 1 })).toBeTruthy()
  expect(router.state.location.href).toBe('/agents')
})

test('an empty form is not sent', async () => {
  const calls = service()
  renderApp('/login')
  await userEvent.click(await screen.findByRole('button', { name: 'Sign in' }))
  expect(await screen.findAllByText('This field is required.')).toHaveLength(2)
  expect(calls.signIns).toBe(0)
})

test.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/\t/evil.example'])(
  'after signing in, next=%s leads home',
  async (next) => {
    service()
    const { router } = renderApp(`/login?next=${encodeURIComponent(next)}`)
    await signIn('right password')
    expect(await screen.findByRole('heading', { name: 'Home', level: 1 })).toBeTruthy()
    expect(router.state.location.pathname).toBe('/')
  },
)

test('a signed-in visitor is redirected', async () => {
  service({ signedIn: true })
  const { router } = renderApp('/login?next=/agents')
  await waitFor(() => expect(router.state.location.pathname).toBe('/agents'))
})

test('a session that has run out leads to signing in, and back', async () => {
  service({ signedIn: false })
  session.signedIn('good', inMinutes(15), Date.now())
  const { router, queryClient } = renderApp('/agents?state=LIVE')
  await screen.findByRole('heading', { name: 'Agents', level: 1 })
  session.signedIn('run out', inMinutes(-1), Date.now())
  await queryClient.invalidateQueries({ queryKey: ['agents'] })
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
  expect(router.state.location.search).toEqual({ next: '/agents?state=LIVE', reason: 'expired' })
  expect(await screen.findByText(/Your session expired/)).toBeTruthy()
})

test('a forgotten password shows whom to ask', async () => {
  service()
  renderApp('/login')
  await userEvent.click(await screen.findByRole('button', { name: 'Forgot your password?' }))
  expect((await screen.findByRole('link', { name: 'https://help.example.com' })).getAttribute('rel')).toContain(
    'noopener',
  )
})

test.each([
  [100, 1],
  [0, 0],
])('sign-up names %i free credits if there are any', async (startingCredits, lines) => {
  service({ startingCredits })
  renderApp('/signup')
  expect(await screen.findByLabelText('Your name')).toBeTruthy()
  expect(screen.queryAllByText('Includes 100 free credits.')).toHaveLength(lines)
})

test('closed sign-up offers no form', async () => {
  service({ signUpOpen: false })
  renderApp('/signup')
  expect(await screen.findByText('Sign-up is closed')).toBeTruthy()
  expect(screen.queryByLabelText('Your name')).toBeNull()
})

test('a sign-out in another tab gives its reason, and the sign-in leads back', async () => {
  service()
  session.signedIn('good', inMinutes(15), Date.now())
  const { router } = renderApp('/agents?search=shop')
  expect(await screen.findByText('No matching agents')).toBeTruthy()
  const other = new BroadcastChannel('agentchat-session')
  other.postMessage({ kind: 'signed-out' })
  expect(await screen.findByText(/You signed out in another tab/)).toBeTruthy()
  other.close()
  await signIn('right password')
  expect(await screen.findByText('No matching agents')).toBeTruthy()
  expect(router.state.location.href).toBe('/agents?search=shop')
})
