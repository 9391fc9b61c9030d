import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { renderApp } from '@/testing/renderApp'
import { renderPage } from '@/testing/renderPage'

afterEach(() => {
  session.forget()
})

const codes = Array.from({ length: 10 }, (_, at) => `000${at}-1111`)

/** A service whose one user has a second factor or not, and whose account may ask for one. The good code is 123456. */
function service({ on = false, left = 10, required = false, proved = true, accounts = [] as string[] } = {}) {
  const state = { on, left, required, proofs: [] as unknown[] }
  const guarded = (value: () => unknown) => () => {
    if (state.required && !state.on) throw refusal('SECOND_FACTOR_REQUIRED', 'Turn on two-factor authentication first.')
    return value()
  }
  const prove = (input: { password: string; code: string }) => {
    state.proofs.push(input)
    if (input.code !== '123456') throw refusal('INVALID_CREDENTIALS', 'Wrong code.')
  }
  const account = () => ({
    id: '1',
    name: 'Ada',
    creditBalance: 9,
    creditsHeld: 0,
    creditsAvailable: 9,
    signIns: [],
    requireSecondFactor: state.required,
  })
  answer({
    serviceInfo: { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: '', supportContact: '', mail: false },
    me: () => ({
      id: 'u1',
      email: 'ada@example.com',
      memberships: accounts.map((name) => ({ account: { accountId: name, name, creditsAvailable: 0 }, role: 'OWNER' })),
      secondFactor: state.on,
      recoveryCodesLeft: state.left,
      emailVerified: proved,
      events: { nodes: [], pageInfo: { hasNextPage: false } },
    }),
    viewer: guarded(account),
    startSecondFactor: { secret: 'ABCDEFGH', uri: 'otpauth://totp/x', qrCode: 'data:image/png;base64,AA==' },
    confirmSecondFactor: ({ input }: { input: { code: string } }) => {
      if (input.code !== '123 456') throw refusal('INVALID_CREDENTIALS', 'Wrong code.')
      Object.assign(state, { on: true, left: 10 })
      return { recoveryCodes: codes }
    },
    removeSecondFactor: ({ input }: { input: { password: string; code: string } }) => {
      prove(input)
      state.on = false
      return { ok: true }
    },
    renewRecoveryCodes: ({ input }: { input: { password: string; code: string } }) => {
      prove(input)
      state.left = 10
      return { recoveryCodes: codes }
    },
    updateAccount: ({ input }: { input: { requireSecondFactor: boolean } }) => {
      state.required = input.requireSecondFactor
      return { account: account() }
    },
  })
  session.signedIn('good', inMinutes(15), Date.now())
  return state
}

async function setUp() {
  await userEvent.click(await screen.findByRole('button', { name: 'Set up two-factor authentication' }))
  expect((await screen.findByTestId('secret')).textContent).toBe('ABCD EFGH')
  expect(screen.getByRole('img', { name: /QR code/ }).getAttribute('src')).toMatch(/^data:image/)
  const code = screen.getByLabelText('Code')
  await userEvent.type(code, '000000{Enter}')
  expect(await screen.findByText('Wrong code.')).toBeTruthy()
  await userEvent.clear(code)
  await userEvent.type(code, ' 123 456 {Enter}')
  await screen.findByTestId('recovery-codes')
}

test('the recovery codes stay until they were kept, and leaving asks', async () => {
  service()
  const { router, queryClient } = renderPage('/settings/security')
  await setUp()
  await waitFor(() => expect(queryClient.isFetching()).toBe(0)) // the factor is known to be on, and the codes are still there
  expect(
    within(screen.getByTestId('recovery-codes'))
      .getAllByRole('listitem')
      .map((one) => one.textContent),
  ).toEqual(codes)
  void router.navigate({ to: '/settings' })
  await userEvent.click(await screen.findByRole('button', { name: 'Back to the codes' }))
  expect(router.state.location.pathname).toBe('/settings/security')
  await userEvent.click(screen.getByRole('button', { name: 'I’ve saved them' }))
  expect(await screen.findByText('10 recovery codes left.')).toBeTruthy()
  const held = JSON.stringify(
    [queryClient.getQueryCache(), queryClient.getMutationCache()].flatMap((cache) =>
      cache.getAll().map(({ state }) => state),
    ),
  )
  expect(held).not.toContain(codes[0])
  expect(held).not.toContain('ABCDEFGH')
})

test.each([
  [4, '4 recovery codes left.'],
  [3, 'Only 3 recovery codes left. Create new ones.'],
  [1, 'Only 1 recovery code left. Create new ones.'],
  [0, 'No recovery codes left. Create new ones.'],
])('%i codes left: %s', async (left, text) => {
  service({ on: true, left })
  renderPage('/settings/security')
  expect(await screen.findByText(text)).toBeTruthy()
})

test.each([true, false])('an address that is proved: %s, has its word about resets', async (proved) => {
  service({ on: true, proved })
  renderPage('/settings/security')
  await screen.findByText('10 recovery codes left.')
  expect(!screen.queryByText(/resetting your password also turns off two-factor authentication/)).toBe(proved)
})

test('new codes and removal take the password and a code, and say what was wrong', async () => {
  const state = service({ on: true, left: 2 })
  renderPage('/settings/security')
  await userEvent.click(await screen.findByRole('button', { name: 'Create new recovery codes' }))
  const renewal = within(await screen.findByRole('dialog', { name: 'Create new recovery codes?' }))
  await userEvent.click(renewal.getByRole('button', { name: 'Create new recovery codes' }))
  expect(await renewal.findAllByText('This field is required.')).toHaveLength(2)
  await userEvent.type(renewal.getByLabelText('Your password'), 'mine')
  await userEvent.type(renewal.getByLabelText('Code'), '000000{Enter}')
  expect((await renewal.findByRole('alert')).textContent).toContain('Wrong code.')
  await userEvent.clear(renewal.getByLabelText('Code'))
  await userEvent.type(renewal.getByLabelText('Code'), '123456{Enter}')
  await userEvent.click(await screen.findByRole('button', { name: 'I’ve saved them' }))
  expect(await screen.findByText('10 recovery codes left.')).toBeTruthy()

  await userEvent.click(screen.getByRole('button', { name: 'Turn off two-factor authentication' }))
  const removal = within(await screen.findByRole('dialog', { name: 'Turn off two-factor authentication?' }))
  await userEvent.type(removal.getByLabelText('Your password'), 'mine')
  await userEvent.type(removal.getByLabelText('Code'), '123456{Enter}')
  expect(await screen.findByRole('button', { name: 'Set up two-factor authentication' })).toBeTruthy()
  expect(state.proofs.at(-1)).toEqual({ password: 'mine', code: '123456' })
})

test('only who has a factor can ask everybody for one', async () => {
  const state = service({ on: true })
  const { unmount } = renderPage('/settings/general')
  const rule = async () =>
    (await screen.findByRole('switch', { name: /^Require two-factor authentication/ })) as HTMLInputElement
  await userEvent.click(await rule())
  await waitFor(() => expect(state.required).toBe(true))
  await waitFor(async () => expect((await rule()).checked).toBe(true))
  unmount()
  service()
  renderPage('/settings/general')
  expect((await rule()).disabled).toBe(true)
  expect(screen.getByText('Turn it on for yourself first.')).toBeTruthy()
})

test('where one is required there is nothing else, and then the page that was asked for', async () => {
  service({ required: true })
  const { router } = renderApp('/settings')
  expect(
    await screen.findByRole('heading', { name: 'This account requires two-factor authentication', level: 1 }),
  ).toBeTruthy()
  expect(screen.queryByRole('navigation')).toBeNull()
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeTruthy()
  await setUp()
  await userEvent.click(screen.getByRole('button', { name: 'I’ve saved them' }))
  expect(await screen.findByRole('heading', { name: 'Settings', level: 1 })).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Account: Ada' })).toBeTruthy()
  expect(router.state.location.pathname).toBe('/settings')
})

test('where one account requires it, the others can be gone to', async () => {
  const load = vi.spyOn(page, 'load').mockReturnValue()
  onTestFinished(() => load.mockRestore())
  service({ required: true, accounts: ['Northwind', 'Berg'] })
  renderApp('/settings')
  expect(await screen.findByText('Your other accounts')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Northwind' })).toBeNull() // the one that is shut
  await userEvent.click(screen.getByRole('button', { name: 'Berg' }))
  expect(load.mock.calls).toEqual([['/?account=Berg']])
})
