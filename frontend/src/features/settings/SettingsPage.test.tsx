import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal, type Seen } from '@/shared/testing/server'
import { renderApp } from '@/testing/renderApp'
import { renderPage } from '@/testing/renderPage'

afterEach(() => {
  session.forget()
})

const password = 'right password'
const noEvents = { nodes: [], pageInfo: { hasNextPage: false } }
const guessable = 'This password is too common.'

type Given = { refuseName?: Error; refuseDeletion?: Error; secondFactor?: boolean; several?: boolean }

/** A service with one account, or two. Renaming it throws `refuseName`, deleting it `refuseDeletion`. */
function service({ refuseName, refuseDeletion, secondFactor = false, several = false }: Given = {}) {
  const state = {
    own: 'Augusta',
    name: 'Ada',
    names: [] as string[],
    codes: [] as (string | undefined)[],
    deleted: false,
  }
  const guarded =
    <A, T>(of: (args: A) => T) =>
    (args: A, seen: Seen) => {
      if (state.deleted || seen.authorization !== 'Bearer good') throw refusal('UNAUTHENTICATED', 'Not signed in.')
      return of(args)
    }
  const check = (given: string) => {
    if (given !== password) throw refusal('INVALID_CREDENTIALS', 'Wrong password.')
  }
  const account = () => ({
    id: '1',
    name: state.name,
    creditBalance: 9,
    creditsHeld: 0,
    creditsAvailable: 9,
    signIns: [],
    requireSecondFactor: false,
    members: [],
  })
  answer({
    serviceInfo: { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: '', supportContact: '', mail: false },
    renewAccess: () => {
      throw refusal('UNAUTHENTICATED', 'Not signed in.')
    },
    me: guarded(() => ({
      id: 'u1',
      name: state.own,
      email: 'ada@example.com',
      emailVerified: true,
      secondFactor,
      recoveryCodesLeft: 9,
      events: noEvents,
      memberships: several
        ? [account(), { id: '2', name: 'Babbage' }].map(({ id, name }) => ({
            account: { accountId: id, name },
            role: 'OWNER',
          }))
        : [],
    })),
    viewer: guarded(account),
    updateAccount: guarded(({ input }: { input: { name: string } }) => {
      if (refuseName) throw refuseName
      state.names.push(input.name)
      state.name = input.name
      return { account: account() }
    }),
    updateUser: guarded(({ input }: { input: { name: string } }) => {
      state.own = input.name
      return { user: { id: 'u1', name: input.name } }
    }),
    changePassword: guarded(({ input }: { input: { currentPassword: string; newPassword: string; code?: string } }) => {
      state.codes.push(input.code)
      if (input.newPassword === 'password') {
        const fields = [{ path: 'newPassword', reason: 'guessable', message: guessable }]
        throw refusal('BAD_USER_INPUT', guessable, { fields })
      }
      check(input.currentPassword)
      return { account: account() }
    }),
    deleteAccount: guarded(({ input }: { input: { password: string; code?: string } }) => {
      state.codes.push(input.code)
      check(input.password)
      if (refuseDeletion) throw refuseDeletion
      state.deleted = true
      return { ok: true }
    }),
  })
  session.signedIn('good', inMinutes(15), Date.now())
  return state
}

async function saveName(name: string, label = 'Account name') {
  const field = await screen.findByLabelText(label)
  await userEvent.clear(field)
  await userEvent.type(field, `${name}{Enter}`)
}

async function openDeletion() {
  await userEvent.click(await screen.findByRole('button', { name: 'Delete account' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }))
  return { dialog, field: dialog.getByLabelText('Your password') }
}

test('a new name is sent trimmed, and the list of accounts shows it at once', async () => {
  const state = service({ several: true })
  renderApp('/settings/general')
  expect(await screen.findByRole('button', { name: 'Switch account from Ada' })).toBeTruthy()
  await saveName('  Analytical Engines ')
  await userEvent.click(await screen.findByRole('button', { name: 'Switch account from Analytical Engines' }))
  expect(await screen.findByRole('menuitem', { name: /^Analytical Engines/ })).toBeTruthy()
  expect(state.names).toEqual(['Analytical Engines'])
  expect((screen.getByLabelText('Account name') as HTMLInputElement).value).toBe('Analytical Engines')
  expect(await screen.findByText('Saved')).toBeTruthy()
})

test('the own name is another one than the account’s', async () => {
  const state = service()
  renderApp('/settings')
  await saveName(' Ada Lovelace ', 'Your name')
  expect(await screen.findByText('Saved')).toBeTruthy()
  expect([state.own, state.name]).toEqual(['Ada Lovelace', 'Ada'])
  expect((screen.getByLabelText('Your name') as HTMLInputElement).value).toBe('Ada Lovelace')
  expect(screen.getByRole('button', { name: 'Account: Ada Lovelace' })).toBeTruthy()
})

test('a name that has not been changed cannot be saved', async () => {
  service()
  renderPage('/settings/general')
  const field = await screen.findByLabelText('Account name')
  await waitFor(() => expect((field as HTMLInputElement).value).toBe('Ada'))
  const save = screen.getByRole('button', { name: 'Save name' }) as HTMLButtonElement
  expect(save.disabled).toBe(true)
  await userEvent.type(field, '!')
  expect(save.disabled).toBe(false)
})

test('an empty or too long name is not sent; a name of 100 emoji is', async () => {
  const state = service()
  renderPage('/settings/general')
  await saveName('')
  expect(await screen.findByText('This field is required.')).toBeTruthy()
  await userEvent.click(screen.getByLabelText('Account name'))
  await userEvent.paste('🙂'.repeat(101))
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByText('Use at most 100 characters.')).toBeTruthy()
  expect(state.names).toEqual([])
  await userEvent.clear(screen.getByLabelText('Account name'))
  await userEvent.paste('🙂'.repeat(100))
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(state.names).toEqual(['🙂'.repeat(100)]))
})

test('a rejected name shows the error at its field', async () => {
  const fields = [{ path: 'name', reason: 'invalid_character', message: 'The name contains a control character.' }]
  service({ refuseName: refusal('BAD_USER_INPUT', 'The input is not valid.', { fields }) })
  renderApp('/settings/general')
  await saveName('Eve')
  await screen.findByText('The name contains a control character.')
  expect(screen.getByLabelText('Account name').getAttribute('aria-invalid')).toBe('true')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByRole('button', { name: 'Account: Augusta' })).toBeTruthy()
})

test('a wrong current password shows the error at its field, which gets the focus', async () => {
  service()
  renderPage('/settings/security')
  const field = await screen.findByLabelText('Current password')
  await userEvent.type(field, 'guess')
  await userEvent.type(screen.getByLabelText('New password'), 'a new password')
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }))
  expect(await screen.findByText('That’s not your current password.')).toBeTruthy()
  expect(document.activeElement).toBe(field)
  await userEvent.clear(field)
  await userEvent.type(field, password)
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }))
  expect(await screen.findByText('Password changed. You’re signed out everywhere else.')).toBeTruthy()
})

test('with a second factor, changing the password and deleting the account require a code', async () => {
  const state = service({ secondFactor: true })
  const { router } = renderPage('/settings/security')
  await userEvent.type(await screen.findByLabelText('Code'), ' 123 456 ')
  await userEvent.type(screen.getByLabelText('Current password'), 'guess')
  await userEvent.type(screen.getByLabelText('New password'), 'a new password')
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Wrong password.')
  await router.navigate({ to: '/settings/data' })
  const { dialog, field } = await openDeletion()
  await userEvent.type(field, `${password}{Enter}`)
  expect(await dialog.findByText('This field is required.')).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('Code'), '654321{Enter}')
  await waitFor(() => expect(state.deleted).toBe(true))
  expect(state.codes).toEqual(['123 456', '654321'])
})

test('a new password that is easy to guess shows the reason at its field', async () => {
  service()
  renderPage('/settings/security')
  await userEvent.type(await screen.findByLabelText('Current password'), password)
  const field = screen.getByLabelText('New password')
  await userEvent.type(field, 'password')
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }))
  expect(await screen.findByText(guessable)).toBeTruthy()
  expect(document.activeElement).toBe(field)
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the dialog says what is deleted, and sends nothing without a password', async () => {
  const state = service()
  renderPage('/settings/data')
  expect(await screen.findByText(/^Details of rejected requests: 7 days · Audit trail/)).toBeTruthy()
  const { dialog, field } = await openDeletion()
  for (const what of [/API key stops/, /agents and conversations are deleted/, /Remaining credits are lost/]) {
    expect(dialog.getByText(what)).toBeTruthy()
  }
  await waitFor(() => expect(document.activeElement).toBe(field))
  await userEvent.click(dialog.getByRole('button', { name: 'Delete account' }))
  expect(await dialog.findByText('This field is required.')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete account' }))
  expect(state.deleted).toBe(false)
})

test('a wrong password deletes nothing; the right one leads to the sign-in page with a notice', async () => {
  const state = service()
  const { router, queryClient } = renderPage('/settings/data')
  const { dialog, field } = await openDeletion()
  await userEvent.type(field, 'guess{Enter}')
  expect(await dialog.findByText('That’s not your current password.')).toBeTruthy()
  expect(document.activeElement).toBe(field)
  expect(dialog.queryByRole('alert')).toBeNull()
  expect(state.deleted).toBe(false)
  await userEvent.clear(field)
  await userEvent.type(field, `${password}{Enter}`)
  expect(await screen.findByText('Your account has been deleted.')).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
  expect(router.state.location.search).toEqual({})
  await waitFor(() => expect(queryClient.getQueryData(['viewer'])).toBeUndefined())
  expect(await session.isSignedIn()).toBe(false)
})

test('a failed deletion shows the reason until it is closed, and the account stays', async () => {
  const state = service({ refuseDeletion: refusal('INTERNAL', 'The fault is ours.') })
  const { router } = renderPage('/settings/data')
  const { dialog, field } = await openDeletion()
  await userEvent.type(field, `${password}{Enter}`)
  const alert = await dialog.findByRole('alert')
  expect(alert.textContent).toContain('The fault is ours.')
  expect(alert.textContent).toContain('req-1')
  await userEvent.click(within(alert).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(dialog.queryByRole('alert')).toBeNull())
  expect(router.state.location.pathname).toBe('/settings/data')
  expect(state.deleted).toBe(false)
})
