import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal, server } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'

afterEach(() => {
  session.forget()
})

type Given = { retentionDays?: number; service?: number; older?: number; more?: boolean; failures?: number }

/** A service with an account, in which `older` conversations are older than any retention. Counting fails a number of times. */
function service({ retentionDays, service, older = 0, more = false, failures = 0 }: Given = {}) {
  const state = { current: retentionDays ?? null, sent: [] as (number | null)[], counted: [] as number[], failures }
  answer({
    serviceInfo: { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: '', supportContact: '', mail: false },
    renewAccess: () => {
      throw refusal('UNAUTHENTICATED', 'Not signed in.')
    },
    viewer: () => ({
      retentionDays: state.current,
      serviceRetentionDays: service ?? null,
      retentionPreview: ({ days }: { days: number }) => {
        if (state.failures-- > 0) throw refusal('INTERNAL', 'The fault is ours.')
        state.counted.push(days)
        return { conversations: older, more }
      },
    }),
    updateAccount: ({ input }: { input: { retentionDays: number | null } }) => {
      state.sent.push(input.retentionDays)
      state.current = input.retentionDays
      return { account: {} }
    },
    createAccountDownload: { url: 'http://elsewhere:8080/download/account?token=secret', expiresAt: inMinutes(1) },
  })
  session.signedIn('good', inMinutes(15), Date.now())
  renderPage('/settings/data')
  return state
}

const days = async () => (await screen.findByLabelText('Days')) as HTMLInputElement
const button = (name: string) => screen.getByRole('button', { name }) as HTMLButtonElement

test('a first retention is saved once its conversations are counted', async () => {
  const state = service({ older: 12 })
  expect(await screen.findByText('Leave empty for no limit. This service sets no limit.')).toBeTruthy()
  await userEvent.type(await days(), '30{Enter}')
  expect(screen.getByText('Counting…')).toBeTruthy()
  expect(button('Save').disabled).toBe(true)
  expect(
    await screen.findByText('12 older conversations will be deleted within minutes. This can’t be undone.'),
  ).toBeTruthy()
  expect(state.sent).toEqual([])
  expect(state.counted).toEqual([30])
  await userEvent.click(button('Save and delete'))
  expect(await screen.findByText('Saved')).toBeTruthy()
  expect(state.sent).toEqual([30])
  await waitFor(() => expect(button('Save').disabled).toBe(true))
  expect(screen.queryByText(/older conversations/)).toBeNull()
})

test('a longer retention and none are saved without counting', async () => {
  const state = service({ retentionDays: 30, older: 12, service: 365 })
  expect(await screen.findByText('Leave empty for no limit. This service deletes after 365 days.')).toBeTruthy()
  await userEvent.type(await days(), '0')
  await userEvent.click(button('Save'))
  await waitFor(() => expect(state.sent).toEqual([300]))
  await userEvent.clear(await days())
  await userEvent.click(button('Save'))
  await waitFor(() => expect(state.sent).toEqual([300, null]))
  expect(state.counted).toEqual([])
})

test('a shorter retention that deletes nothing has no warning', async () => {
  const state = service({ retentionDays: 30 })
  await userEvent.type(await days(), '{Backspace}')
  await waitFor(() => expect(button('Save').disabled).toBe(false))
  expect(state.counted).toEqual([3])
  expect(screen.queryByText(/deleted within minutes/)).toBeNull()
})

test('what is not from 1 to the limit of the service is not sent', async () => {
  const state = service({ service: 30 })
  await userEvent.type(await days(), '31')
  await userEvent.click(button('Save'))
  expect(await screen.findByText('Enter 1 to 30 days.')).toBeTruthy()
  expect([state.sent, state.counted]).toEqual([[], []])
})

test('without a count nothing is saved until it succeeds', async () => {
  const state = service({ failures: 1, older: 10_000, more: true })
  await userEvent.type(await days(), '7')
  expect(await screen.findByText('Couldn’t count the conversations. Try again.')).toBeTruthy()
  await userEvent.type(await days(), '{Enter}')
  await userEvent.click(button('Retry'))
  expect(await screen.findByText(/^More than 10.000 older conversations will be deleted/)).toBeTruthy()
  expect(state.sent).toEqual([])
})

test.each([
  [200, undefined],
  [429, 'A download is already running.'],
  [403, 'The service is unavailable right now. Try again.'],
])('a download whose link answers %d', async (status, problem) => {
  service()
  server.use(http.head('/download/account', () => new HttpResponse(null, { status })))
  const opened: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    opened.push(`${this.pathname}${this.search} ${this.hasAttribute('download')}`)
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Download' }))
  expect(await screen.findByText(problem ?? 'Download started')).toBeTruthy()
  expect(opened).toEqual(problem ? [] : ['/download/account?token=secret true'])
})
