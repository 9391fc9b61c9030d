import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { session } from '@/shared/gql'
import { inMinutes } from '@/shared/testing/server'
import { version } from '@/shared/testing/versions'
import { formatDateTime } from '@/shared/time'
import { open, type Row, row, service } from './channelsTesting'

// The dialogs are loaded when first asked for, which on a busy machine takes a while.
vi.setConfig({ testTimeout: 30_000 })

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.signedOut())

test('limits are set, left alone when they stay, and cleared', async () => {
  const sent: unknown[] = []
  const rows = service([row('e1', 'Web shop')], ({ name, rateLimitPerMinute, version, ...input }) => sent.push(input))
  const { user } = open()
  const edit = async (change: (form: ReturnType<typeof within>) => Promise<unknown>) => {
    await user.click(await screen.findByRole('button', { name: 'Edit “Web shop”' }))
    await change(within(screen.getByRole('group', { name: 'Limits' })))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByRole('button', { name: 'Edit “Web shop”' })
  }
  await edit(async (form) => {
    await user.type(form.getByLabelText('Credits per day (UTC)'), '500')
    await user.type(form.getByLabelText('Credits per month (UTC)'), '10000')
    await user.type(form.getByLabelText('Messages per day for each end user'), '50')
  })
  expect(await screen.findByText('50 messages per day each')).toBeTruthy()
  await edit(async (form) => user.clear(form.getByLabelText('Credits per month (UTC)')))
  await edit(async () => {})
  await edit(async (form) => {
    await user.clear(form.getByLabelText('Messages per day for each end user'))
    await user.click(form.getByRole('switch', { name: 'Every message needs a user_id' }))
  })
  expect(await screen.findByText('Every message needs a user_id')).toBeTruthy()
  expect(sent).toEqual([
    { id: 'e1', dailyCreditLimit: 500, monthlyCreditLimit: 10_000, userDailyMessageLimit: 50 },
    { id: 'e1', monthlyCreditLimit: null },
    { id: 'e1' },
    { id: 'e1', userDailyMessageLimit: null, requireUserId: true },
  ])
  expect(rows[0]).toMatchObject({ dailyCreditLimit: 500, monthlyCreditLimit: null, userDailyMessageLimit: null })
})

test('the programs send a user_id once an export asks for it', async () => {
  service([row('e1', 'Web shop')])
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Edit “Web shop”' }))
  const program = await screen.findByRole('region', { name: 'Program in cURL' })
  expect(program.textContent).not.toContain('user_id')
  await user.type(screen.getByLabelText('Messages per day for each end user'), '5')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(program.textContent).toContain('"user_id": "user-1"'))
})

test('a limit for end users asks for a user_id, and says why', async () => {
  service([{ ...row('e1', 'Web shop'), userDailyMessageLimit: 50 }])
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Edit “Web shop”' }))
  const needed = screen.getByRole('switch', { name: 'Every message needs a user_id' })
  expect(needed).toMatchObject({ checked: true, disabled: true })
  const reason = screen.getByText('Always on while end users have a limit: the user_id tells them apart.')
  expect(needed.getAttribute('aria-describedby')).toContain(reason.id)
  await user.clear(screen.getByLabelText('Messages per day for each end user'))
  expect(needed).toMatchObject({ checked: false, disabled: false })
})

test.each([
  ['Credits per day (UTC)', '0', 'Must be a whole number of at least 1, or empty.'],
  ['Credits per month (UTC)', '90071992547409930', 'Must be a whole number of at least 1, or empty.'],
  ['Messages per day for each end user', '1000001', 'Must be a whole number between 1 and 1,000,000, or empty.'],
  ['Credits per day (UTC)', '13', 'Not that limit.'],
])('%s of %s is refused at its field', async (label, limit, words) => {
  const rows = service([row('e1', 'Web shop')])
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Edit “Web shop”' }))
  const field = screen.getByLabelText(label)
  await user.type(field, limit)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  const message = await screen.findByText(words)
  expect(field.getAttribute('aria-describedby')).toContain(message.id)
  expect(rows).toEqual([row('e1', 'Web shop')].map((one) => ({ ...one, createdAt: rows[0]?.createdAt })))
})

/** Fixes the time, in which the account is signed in. */
function at(time: string) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(time) })
  session.signedIn('good', inMinutes(15), Date.now())
}

test('the use stands against its limits, and without one for itself', async () => {
  service([
    { ...row('e1', 'Free'), creditsUsedToday: 1_120, creditsUsedThisMonth: 5_000 },
    {
      ...row('e2', 'Limited'),
      ...{ creditsUsedToday: 400, dailyCreditLimit: 500, creditsUsedThisMonth: 3_400, monthlyCreditLimit: 10_000 },
    },
  ])
  open()
  expect(await screen.findByText('1,120 credits today')).toBeTruthy()
  expect(screen.queryByText(/5,000/)).toBeNull()
  const warns = (text: string) => screen.getByText(text).style.color === 'var(--warn)'
  expect(warns('400 of 500 credits today')).toBe(true)
  expect(warns('3,400 of 10,000 credits this month')).toBe(false)
  expect(screen.queryByText(/limit reached/)).toBeNull()
})

test('a limit that is reached says until when callers are refused', async () => {
  at('2026-03-30T20:30:00Z')
  const used = { creditsUsedToday: 500, creditsUsedThisMonth: 3_400, monthlyCreditLimit: 10_000 }
  service([
    { ...row('e1', 'Day'), ...used, dailyCreditLimit: 500 },
    { ...row('e2', 'Month'), ...used, dailyCreditLimit: 500, monthlyCreditLimit: 3_400 },
    { ...row('e3', 'Paused'), ...used, dailyCreditLimit: 500, state: 'PAUSED' },
  ])
  open()
  const day = await screen.findByText(/^Daily limit reached/)
  expect(day.textContent).toBe('Daily limit reached. Callers get limit_reached until 00:00 UTC (in 3 hours)')
  const month = screen.getByText(/^Monthly limit reached/)
  expect(month.textContent).toContain('until 00:00 UTC on the first of next month (tomorrow)')
  const moment = (text: HTMLElement) => text.querySelector('time')?.dateTime
  expect([day, month].map(moment)).toEqual(['2026-03-31T00:00:00.000Z', '2026-04-01T00:00:00.000Z'])
  const local = screen.getAllByText(/^Your time:/).map(({ textContent }) => textContent)
  expect(local[0]).toBe(`Your time: ${formatDateTime('2026-03-31T00:00:00Z')}`)
  expect(local).toHaveLength(2)
})

test('a limit is reached when what is left of it does not pay a message', async () => {
  const published = version(3)
  Object.assign(published.model, { creditsPerMessage: 3 })
  const limited = { dailyCreditLimit: 500, creditsUsedToday: 498 }
  service(
    [
      { ...row('e1', 'Two left'), ...limited },
      { ...row('e2', 'Three left'), ...limited, creditsUsedToday: 497 },
      { ...row('e3', 'Another version, of unknown price'), ...limited, version: 2 },
    ],
    undefined,
    published,
  )
  open()
  const item = async (name: string) => (await screen.findByText(name)).closest('li')?.textContent
  expect(await item('Two left')).toContain('Daily limit reached')
  expect(await item('Three left')).not.toContain('limit reached')
  expect(await item('Another version, of unknown price')).not.toContain('limit reached')
})

test('a credit limit that no message fits in says so, and may be saved', async () => {
  const published = version(3)
  Object.assign(published.model, { creditsPerMessage: 3 })
  const rows = service([row('e1', 'Web shop')], undefined, published)
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Edit “Web shop”' }))
  const field = screen.getByLabelText('Credits per day (UTC)')
  await user.type(field, '2')
  const hint = screen.getByText('Less than one message costs (3 credits), so every request is refused.')
  expect(field.getAttribute('aria-describedby')).toContain(hint.id)
  expect(field.getAttribute('aria-invalid')).not.toBe('true')
  await user.clear(field)
  await user.type(field, '3')
  expect(screen.queryByText(/^Less than one message/)).toBeNull()
  await user.type(field, '{Backspace}1')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(rows[0]?.dailyCreditLimit).toBe(1))
})

test('when the day ends, the use is asked for again', async () => {
  at('2026-03-30T23:59:50Z')
  const rows = service([{ ...row('e1', 'Web shop'), creditsUsedToday: 500, dailyCreditLimit: 500 }])
  open()
  await screen.findByText(/^Daily limit reached/)
  Object.assign(rows[0] as Row, { creditsUsedToday: 0 })
  vi.setSystemTime(new Date('2026-03-31T00:00:20Z'))
  fireEvent(document, new Event('visibilitychange'))
  expect(await screen.findByText('0 of 500 credits today')).toBeTruthy()
  expect(screen.queryByText(/^Daily limit reached/)).toBeNull()
})

test.each([
  ['2099-01-01T00:00:00Z', '2099-01-01T00:00:00Z'],
  ['2001-01-01T00:00:00Z', null],
])('a replacement has the limits of the export, and its expiry %s as %s', async (expiresAt, kept) => {
  const limits = { dailyCreditLimit: 500, monthlyCreditLimit: 10_000, requireUserId: true, userDailyMessageLimit: 50 }
  const rows = service([{ ...row('e1', 'Web shop'), ...limits, expiresAt, rateLimitPerMinute: 30, version: 2 }])
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Replace key of “Web shop”' }))
  await screen.findByTestId('api-key')
  expect(rows[1]).toMatchObject({ ...limits, expiresAt: kept, rateLimitPerMinute: 30, version: 2, name: 'Web shop' })
})
