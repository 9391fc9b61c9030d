import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { EndSignInDocument } from '@/gql/graphql'
import { gql, session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'

afterEach(() => {
  session.forget()
})

const password = 'right password'
const stale = () => refusal('REAUTHENTICATION_REQUIRED', 'Confirm your password with confirmPassword.')

/** A service that wants a recent password before it ends a sign-in; `forgets` the one that it gets. */
function service({ forgets = false, secondFactor = false } = {}) {
  const state = { proven: false, asked: 0, guesses: 0, signIns: ['this one', 'another'] }
  const account = () => ({
    id: '1',
    name: 'Ada',
    creditBalance: 9,
    creditsHeld: 0,
    creditsAvailable: 9,
    requireSecondFactor: false,
    signIns: state.signIns.map((id) => ({
      id,
      browser: 'Firefox',
      address: '192.0.2.1',
      createdAt: inMinutes(-60),
      lastUsedAt: inMinutes(-20),
      current: id === 'this one',
    })),
  })
  answer({
    serviceInfo: { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: '', supportContact: '', mail: false },
    me: {
      id: 'u1',
      email: 'ada@example.com',
      secondFactor,
      recoveryCodesLeft: 9,
      emailVerified: true,
      events: { nodes: [], pageInfo: { hasNextPage: false } },
    },
    viewer: account,
    confirmPassword: ({ input }: { input: { password?: string; code?: string } }) => {
      state.guesses++
      if (secondFactor && input.code !== '123 456') throw refusal('INVALID_CREDENTIALS', 'Wrong code.')
      if (!secondFactor && input.password !== password) throw refusal('INVALID_CREDENTIALS', 'Wrong password.')
      state.proven = !forgets
      return { ok: true }
    },
    endSignIn: ({ input }: { input: { id: string } }) => {
      state.asked++
      if (!state.proven) throw stale()
      state.signIns = state.signIns.filter((id) => id !== input.id)
      return { endedSignInId: input.id }
    },
  })
  session.signedIn('good', inMinutes(15), Date.now())
  return state
}

const passwordDialog = () => screen.findByRole('dialog', { name: 'Confirm your password' })

/** Asks to end the other sign-in. Resolves with the two dialogs. */
async function endTheOther() {
  await userEvent.click(await screen.findByRole('button', { name: /^Sign out .* at / }))
  const question = await screen.findByRole('dialog', { name: /^Sign out .*\?$/ })
  await userEvent.click(within(question).getByRole('button', { name: 'Sign out' }))
  return { question, dialog: within(await passwordDialog()) }
}

test('a wrong password is told at its field; the right one lets the request go on', async () => {
  const state = service()
  renderPage('/settings/security')
  const { dialog } = await endTheOther()
  const field = dialog.getByLabelText('Your password')
  await waitFor(() => expect(document.activeElement).toBe(field))
  await userEvent.keyboard('{Enter}')
  expect(await dialog.findByText('This field is required.')).toBeTruthy()
  await userEvent.type(field, 'guess{Enter}')
  expect(await dialog.findByText('That’s not your current password.')).toBeTruthy()
  expect(document.activeElement).toBe(field)
  expect([state.asked, state.guesses]).toEqual([1, 1])
  await userEvent.clear(field)
  await userEvent.type(field, `${password}{Enter}`)
  expect(await screen.findByText('Session signed out')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect([state.asked, state.signIns]).toEqual([2, ['this one']])
})

test('with a second factor it asks for a code instead, or for a recovery code', async () => {
  const state = service({ secondFactor: true })
  renderPage('/settings/security')
  await userEvent.click(await screen.findByRole('button', { name: /^Sign out .* at / }))
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }))
  expect(dialog.queryByLabelText('Your password')).toBeNull()
  const field = dialog.getByLabelText('Code')
  await userEvent.type(field, '000000{Enter}')
  expect(await dialog.findByText('Wrong code.')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Use a recovery code' }))
  expect(document.activeElement).toBe(dialog.getByLabelText('Recovery code'))
  await userEvent.click(dialog.getByRole('button', { name: 'Use your authenticator app' }))
  await userEvent.clear(field)
  await userEvent.type(field, '123 456{Enter}')
  await waitFor(() => expect(state.signIns).toEqual(['this one']))
})

test.each(['Cancel', 'Close', 'Escape'])('%s leaves everything as it was, without a word', async (way) => {
  const state = service()
  renderPage('/settings/security')
  const { question, dialog } = await endTheOther()
  if (way === 'Escape') await userEvent.keyboard('{Escape}')
  else await userEvent.click(dialog.getByRole('button', { name: way }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirm your password' })).toBeNull())
  const end = within(question).getByRole('button', { name: 'Sign out' })
  await waitFor(() => expect(document.activeElement).toBe(end))
  expect(screen.queryByRole('alert')).toBeNull()
  expect([state.asked, state.signIns.length]).toEqual([1, 2])
  await userEvent.click(end) // it asks again
  await userEvent.type(within(await passwordDialog()).getByLabelText('Your password'), `${password}{Enter}`)
  await waitFor(() => expect(state.signIns).toEqual(['this one']))
})

test('requests that need it at once ask once, and each is repeated once', async () => {
  const state = service()
  renderPage('/settings/security')
  await screen.findByRole('button', { name: /^Sign out .* at / })
  const both = Promise.all(['1', '2'].map((id) => gql(EndSignInDocument, { input: { id } })))
  await userEvent.type(within(await passwordDialog()).getByLabelText('Your password'), `${password}{Enter}`)
  await expect(both).resolves.toEqual([{ endSignIn: { endedSignInId: '1' } }, { endSignIn: { endedSignInId: '2' } }])
  expect([state.asked, state.guesses]).toEqual([4, 1])
})

test('a request that is refused again is not asked for again', async () => {
  const state = service({ forgets: true })
  renderPage('/settings/security')
  await screen.findByRole('button', { name: /^Sign out .* at / })
  const outcome = gql(EndSignInDocument, { input: { id: '1' } }).catch((thrown: unknown) => thrown)
  await userEvent.type(within(await passwordDialog()).getByLabelText('Your password'), `${password}{Enter}`)
  expect(await outcome).toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' })
  expect([state.asked, state.guesses]).toEqual([2, 1])
})

test('signing out in another tab closes it, and the request fails', async () => {
  service()
  const { router } = renderPage('/settings/security')
  await screen.findByRole('button', { name: /^Sign out .* at / })
  const outcome = gql(EndSignInDocument, { input: { id: '1' } }).catch((thrown: unknown) => thrown)
  await passwordDialog()
  session.signedOut()
  expect(await outcome).toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' })
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
