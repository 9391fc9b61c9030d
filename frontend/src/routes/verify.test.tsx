import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal, type Seen } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'

afterEach(() => session.forget())

const dead = (message: string) =>
  refusal('BAD_USER_INPUT', message, { fields: [{ path: 'token', reason: 'invalid_value', message }] })

/** A service with mail. Links: "good" of a user, "others" of another one, "taken" to an address that is taken, "new" of a sign-up. */
function service({ signedIn = false } = {}) {
  const asked: unknown[] = []
  answer({
    serviceInfo: { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: '', supportContact: '', mail: true },
    renewAccess: () => {
      throw refusal('UNAUTHENTICATED', 'Not signed in.')
    },
    signUp: ({ input }: { input: unknown }) => {
      asked.push(input)
      return { accessToken: null, expiresAt: null, account: null, mailSent: true }
    },
    verifyEmail: ({ input }: { input: { token: string; password?: string } }, seen: Seen) => {
      asked.push(input)
      if (input.token === 'new') {
        if (input.password !== 'right password') throw refusal('INVALID_CREDENTIALS', 'Wrong.')
        return { ok: true }
      }
      if (seen.authorization !== 'Bearer good') throw refusal('UNAUTHENTICATED', 'Sign in first.')
      if (input.token === 'others') throw refusal('CONFLICT', 'This link belongs to another user.')
      if (input.token === 'taken') throw refusal('CONFLICT', 'An account with this email already exists.')
      if (input.token !== 'good') throw dead('This link has expired or was already used. Ask for a new one.')
      return { ok: true }
    },
    undoEmailChange: ({ input }: { input: { token: string } }) => {
      asked.push(input)
      if (input.token !== 'good') throw dead('This link has expired or was already used. Ask for a new one.')
      return { ok: true }
    },
  })
  if (signedIn) session.signedIn('good', inMinutes(15), Date.now())
  return asked
}

test('signing up leads into the mail, and signs nobody in', async () => {
  const asked = service()
  const { router } = renderPage('/signup')
  await userEvent.type(await screen.findByLabelText('Your name'), 'Grace')
  await userEvent.type(screen.getByLabelText('Email'), ' grace@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'right password{Enter}')
  expect(await screen.findByText('Check your email')).toBeTruthy()
  expect(screen.getByRole('status').textContent).toMatch(/grace@example.com/)
  expect(asked).toEqual([{ name: 'Grace', email: 'grace@example.com', password: 'right password' }])
  expect([router.state.location.pathname, session.known()]).toEqual(['/signup', false])
})

test('the link of a sign-up opens the account with the password, and a wrong one can be tried again', async () => {
  const asked = service()
  renderPage('/verify#new&token=new')
  const field = await screen.findByLabelText('Password')
  await userEvent.type(field, '{Enter}')
  expect(await screen.findByText('This field is required.')).toBeTruthy()
  expect(asked).toEqual([])
  await userEvent.type(field, 'guess{Enter}')
  expect(await screen.findByText('That’s not the password you chose when you signed up.')).toBeTruthy()
  await userEvent.clear(field)
  await userEvent.type(field, 'right password{Enter}')
  expect((await screen.findByRole('status')).textContent).toMatch(/Your account is active/)
  expect(asked.at(-1)).toEqual({ token: 'new', password: 'right password' })
  expect(screen.getByRole('link', { name: 'Sign in' })).toBeTruthy()
})

test('an address is confirmed by the button and not by opening the link', async () => {
  const asked = service({ signedIn: true })
  renderPage('/verify#token=good')
  const button = await screen.findByRole('button', { name: 'Confirm email' })
  expect(asked).toEqual([])
  await userEvent.click(button)
  expect((await screen.findByRole('status')).textContent).toMatch(/Email confirmed/)
  expect(asked).toEqual([{ token: 'good' }])
})

test.each([
  ['others', /This link belongs to another user/],
  ['taken', /already exists/],
  ['used', /has expired or was already used/],
])('a link that is refused says why: %s', async (token, why) => {
  service({ signedIn: true })
  renderPage(`/verify#token=${token}`)
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm email' }))
  expect((await screen.findByRole('alert')).textContent).toMatch(why)
})

test('without a sign-in the page asks for one first, and puts the token in no address', async () => {
  service()
  renderPage('/verify#token=good')
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm email' }))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toMatch(/Sign in first/)
  expect(alert.querySelector('a')?.getAttribute('href')).toBe('/login')
})

test('a former address is brought back by the button, and another link for a new password can be had', async () => {
  const asked = service()
  renderPage('/undo-address#token=good')
  const button = await screen.findByRole('button', { name: 'Restore address' })
  expect(asked).toEqual([])
  await userEvent.click(button)
  expect((await screen.findByRole('status')).textContent).toMatch(/Address restored/)
  expect(asked).toEqual([{ token: 'good' }])
  expect(screen.getByRole('link', { name: 'Get a new link' }).getAttribute('href')).toBe('/forgot')
})

test('an address that cannot be brought back any more says so', async () => {
  service()
  renderPage('/undo-address#token=used')
  await userEvent.click(await screen.findByRole('button', { name: 'Restore address' }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/has expired or was already used/)
})

test.each(['/verify', '/verify#new', '/undo-address'])('a link that was cut off says so: %s', async (address) => {
  service()
  renderPage(address)
  expect((await screen.findByRole('alert')).textContent).toMatch(/incomplete/)
  expect(screen.queryByRole('button')).toBeNull()
})
