import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'

afterEach(() => {
  session.forget()
})

/** A service with one account, which the user has a role in. */
function service(viewerRole: string, lowCreditsAt: number | null, mail = true) {
  const state = { lowCreditsAt, sent: [] as (number | null)[] }
  const account = () => ({
    id: '1',
    name: 'Ada',
    creditBalance: 60,
    creditsHeld: 0,
    creditsAvailable: 60,
    viewerRole,
    lowCreditsAt: state.lowCreditsAt,
  })
  answer({
    serviceInfo: { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: '', supportContact: '', mail },
    renewAccess: () => {
      throw refusal('UNAUTHENTICATED', 'Not signed in.')
    },
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: account,
    updateAccount: ({ input }: { input: { lowCreditsAt: number | null } }) => {
      state.sent.push(input.lowCreditsAt)
      state.lowCreditsAt = input.lowCreditsAt
      return { account: account() }
    },
  })
  session.signedIn('good', inMinutes(15), Date.now())
  renderPage('/settings/notifications')
  return state
}

const label = 'Alert owners when credits fall to'
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))

test('an owner sets at how many credits the owners are told, and clears it', async () => {
  const state = service('OWNER', 50)
  const field = (await screen.findByLabelText(label)) as HTMLInputElement
  expect(screen.getAllByText('Always on')).toHaveLength(3)
  expect(field.value).toBe('50')
  expect((screen.getByRole('button', { name: 'Save' }) as HTMLButtonElement).disabled).toBe(true)
  await userEvent.clear(field)
  await userEvent.type(field, '1200')
  await save()
  await waitFor(() => expect(state.sent).toEqual([1200]))
  expect(await screen.findByText('Saved')).toBeTruthy()
  await userEvent.clear(field)
  await save()
  await waitFor(() => expect(state.sent).toEqual([1200, null]))
})

test('zero is not sent', async () => {
  const state = service('OWNER', null)
  await userEvent.type(await screen.findByLabelText(label), '0')
  await save()
  expect(await screen.findByText('Enter a whole number of at least 1, or leave it empty.')).toBeTruthy()
  expect(state.sent).toEqual([])
})

test('others read it', async () => {
  service('EDITOR', 1500, false)
  expect(await screen.findByText(/^Owners are alerted at 1.500 credits\.$/)).toBeTruthy()
  expect(screen.queryByLabelText(label)).toBeNull()
  expect(await screen.findByText(/Email isn’t set up/)).toBeTruthy()
  expect(screen.queryByText('Always on')).toBeNull()
})
