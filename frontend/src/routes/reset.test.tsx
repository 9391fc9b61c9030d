import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'

afterEach(() => session.forget())

/** A service whose only good link has the token "good". */
function service(mail = true, leftBehind: unknown = null) {
  const asked: unknown[] = []
  answer({
    serviceInfo: { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: '', supportContact: 'Call Bob', mail },
    renewAccess: () => {
      throw refusal('UNAUTHENTICATED', 'Not signed in.')
    },
    passwordReset: ({ token }: { token: string }) => token === 'good' || token === 'raced',
    requestPasswordReset: ({ input }: { input: { email: string } }) => {
      asked.push(input)
      if (input.email === 'many@example.com') throw refusal('RATE_LIMITED', 'Too many attempts.')
      return { ok: true }
    },
    resetPassword: ({ input }: { input: { token: string; newPassword: string } }) => {
      asked.push(input)
      if (input.token !== 'good') {
        const message = 'This link has expired or was already used. Ask for a new one.'
        throw refusal('BAD_USER_INPUT', message, { fields: [{ path: 'token', reason: 'invalid_value', message }] })
      }
      return { ok: true, leftBehind }
    },
  })
  return asked
}

test('a link is asked for from the sign-in page', async () => {
  const asked = service()
  renderPage('/login')
  await userEvent.click(await screen.findByRole('link', { name: 'Forgot your password?' }))
  await screen.findByRole('heading', { name: 'Forgot your password?' }) // the page before has such a field, too
  await userEvent.type(await screen.findByLabelText('Email'), ' ada@example.com {Enter}')
  expect((await screen.findByRole('status')).textContent).toMatch(/If ada@example.com has an account/)
  expect(asked).toEqual([{ email: 'ada@example.com' }])
})

test('asking too often says so, and keeps the address', async () => {
  service()
  renderPage('/forgot')
  const field = await screen.findByLabelText<HTMLInputElement>('Email')
  await userEvent.type(field, '{Enter}')
  expect(await screen.findByText('This field is required.')).toBeTruthy()
  await userEvent.type(field, 'many@example.com{Enter}')
  expect(await screen.findByRole('alert')).toBeTruthy()
  expect(field.value).toBe('many@example.com')
})

test('without mail the page says whom to ask', async () => {
  service(false)
  renderPage('/forgot')
  expect(await screen.findByText('Call Bob')).toBeTruthy()
  expect(screen.queryByLabelText('Email')).toBeNull()
})

test('a link is used by the button and not by opening it', async () => {
  const asked = service()
  renderPage('/reset#token=good')
  const field = await screen.findByLabelText('New password')
  await userEvent.type(field, 'short{Enter}')
  expect(await screen.findByText('Use at least 8 characters.')).toBeTruthy()
  expect(asked).toEqual([])
  await userEvent.type(field, ' but longer{Enter}')
  expect((await screen.findByRole('status')).textContent).toMatch(/Password changed\./)
  expect(asked).toEqual([{ token: 'good', newPassword: 'short but longer' }])
  expect(screen.getByRole('link', { name: 'Sign in' })).toBeTruthy()
})

test('the first one to prove the address sees who and what else leads into the account', async () => {
  const key = { exportName: 'Shop', createdAt: inMinutes(-90) }
  service(true, { members: ['eve@example.com'], keys: [key] })
  renderPage('/reset#token=good')
  await userEvent.type(await screen.findByLabelText('New password'), 'a good password{Enter}')
  expect(await screen.findByText('Do you recognize all of this?')).toBeTruthy()
  expect(screen.getByText('Member: eve@example.com')).toBeTruthy()
  expect(screen.getByText(/^A key of Shop, created/).textContent).toMatch(/1 hour ago/)
})

test('where nothing else leads into the account, nothing is asked', async () => {
  service(true, { members: [], keys: [] })
  renderPage('/reset#token=good')
  await userEvent.type(await screen.findByLabelText('New password'), 'a good password{Enter}')
  expect(await screen.findByRole('status')).toBeTruthy()
  expect(screen.queryByText('Do you recognize all of this?')).toBeNull()
})

test('a link that does not work says so at once, and leads to another', async () => {
  const asked = service()
  renderPage('/reset#token=used')
  expect((await screen.findByRole('alert')).textContent).toMatch(/This link has expired or was already used/)
  expect(screen.queryByLabelText('New password')).toBeNull()
  expect(asked).toEqual([])
  await userEvent.click(screen.getByRole('link', { name: 'Get a new link' }))
  expect(await screen.findByLabelText('Email')).toBeTruthy()
})

test('a link that is used up meanwhile says so', async () => {
  service()
  renderPage('/reset#token=raced')
  await userEvent.type(await screen.findByLabelText('New password'), 'a good password{Enter}')
  expect((await screen.findByRole('alert')).textContent).toMatch(/This link has expired or was already used/)
})

test('a link that was cut off says so', async () => {
  service()
  renderPage('/reset')
  expect((await screen.findByRole('alert')).textContent).toMatch(/incomplete/)
  expect(screen.queryByLabelText('New password')).toBeNull()
})
