import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'

afterEach(() => {
  session.forget()
})

const password = 'right password'

/** A service with a user. `many` are too many mails. */
function service({ mail = true, verified = false, many = false } = {}) {
  const state = { email: 'ada@example.com', asked: [] as unknown[], links: 0 }
  const limited = () => refusal('RATE_LIMITED', 'Too many attempts. Wait a while, then try again.')
  answer({
    serviceInfo: { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: '', supportContact: '', mail },
    me: () => ({ id: 'u1', email: state.email, emailVerified: verified }),
    viewer: { id: '1', name: 'Ada', creditBalance: 9, creditsHeld: 0, creditsAvailable: 9 },
    requestEmailVerification: () => {
      if (many) throw limited()
      state.links++
      return { ok: true }
    },
    changeEmail: ({ input }: { input: { newEmail: string; password: string } }) => {
      if (input.password !== password) throw refusal('INVALID_CREDENTIALS', 'Wrong password.')
      if (input.newEmail === 'taken@example.com') throw refusal('CONFLICT', 'An account with this address exists.')
      if (!input.newEmail.includes('@')) {
        const fields = [
          { path: 'newEmail', reason: 'invalid_value', message: 'Enter an email address like name@example.com.' },
        ]
        throw refusal('BAD_USER_INPUT', 'Enter an email address like name@example.com.', { fields })
      }
      state.asked.push(input)
      if (!mail) state.email = input.newEmail
      return { ok: true }
    },
  })
  session.signedIn('good', inMinutes(15), Date.now())
  return state
}

async function change(email: string, given = password) {
  await userEvent.click(await screen.findByRole('button', { name: 'Change email' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change your email' }))
  const field = dialog.getByLabelText('New email')
  await userEvent.type(field, email)
  await userEvent.type(dialog.getByLabelText('Your password'), `${given}{Enter}`)
  return dialog
}

test('an address that is not verified says so and has a link sent', async () => {
  const state = service()
  renderPage('/settings')
  expect(await screen.findByText('Not verified')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Send verification link' }))
  expect((await screen.findByText(/We sent a link/)).textContent).toMatch(/ada@example.com/)
  expect(state.links).toBe(1)
})

test('too many links are refused in words', async () => {
  service({ many: true })
  renderPage('/settings')
  await userEvent.click(await screen.findByRole('button', { name: 'Send verification link' }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/Too many attempts/)
})

test.each([{ verified: true }, { mail: false }])('nothing is to be verified: %o', async (how) => {
  service(how)
  renderPage('/settings')
  expect(await screen.findByRole('button', { name: 'Change email' })).toBeTruthy()
  expect(screen.getByText('ada@example.com')).toBeTruthy()
  expect(screen.queryByText('Not verified')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Send verification link' })).toBeNull()
})

test('a change sends a link to the new address, which stays as it is until then', async () => {
  const state = service({ verified: true })
  renderPage('/settings')
  const dialog = await change(' b@example.com ')
  expect((await screen.findByText(/We sent a link/)).textContent).toMatch(/b@example.com/)
  await waitFor(() => expect(dialog.queryByLabelText('Your password')).toBeNull())
  expect(state.asked).toEqual([{ newEmail: 'b@example.com', password }])
  expect(screen.getByText('ada@example.com')).toBeTruthy()
})

test('without mail the address changes at once, which it says before', async () => {
  service({ mail: false })
  renderPage('/settings')
  const dialog = await change('b@example.com', '')
  expect(dialog.getByText(/this can’t be undone/)).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('Your password'), `${password}{Enter}`)
  expect(await screen.findByText('b@example.com')).toBeTruthy()
  expect(await screen.findByText('Email changed. You’re signed out everywhere else.')).toBeTruthy()
})

test.each([
  ['b@example.com', 'guess', 'That’s not your current password.'],
  ['b', password, 'Enter an email address like name@example.com.'],
  ['taken@example.com', password, 'An account with this address exists.'],
])('a refused change says why: %s, %s', async (email, given, why) => {
  const state = service({ mail: false })
  renderPage('/settings')
  const dialog = await change(email, given)
  expect(await dialog.findByText(why)).toBeTruthy()
  expect(state.asked).toEqual([])
})
