import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { session } from '@/shared/gql'
import { inMinutes } from '@/shared/testing/server'
import { version } from '@/shared/testing/versions'
import { formatMinute } from '@/shared/time'
import { exportRow as row, exportService as service } from '@/testing/exportService'
import { open } from '../page/exportTesting'

// The dialogs are loaded when first asked for, which on a busy machine takes a while.
beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.signedOut())

test('limits are set, left alone when they stay, and cleared', async () => {
  const sent: unknown[] = []
  const rows = service([row('e1', 'Web shop')], {
    onUpdate: ({ name, rateLimitPerMinute, version, ...input }) => sent.push(input),
  })
  const { user } = open('e1')
  const edit = async (change: (form: ReturnType<typeof within>) => Promise<unknown>) => {
    await user.click(await screen.findByRole('button', { name: 'Edit “Web shop”' }))
    await change(within(await screen.findByRole('group', { name: 'Limits' })))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  await edit(async (form) => {
    await user.type(form.getByLabelText('Credits per day (UTC)'), '500')
    await user.type(form.getByLabelText('Credits per month (UTC)'), '10000')
    await user.type(form.getByLabelText('Messages per user per day'), '50')
  })
  expect(await screen.findByText('50 messages per day')).toBeTruthy()
  await edit(async (form) => user.clear(form.getByLabelText('Credits per month (UTC)')))
  await edit(async () => {})
  await edit(async (form) => {
    await user.clear(form.getByLabelText('Messages per user per day'))
    await user.click(form.getByRole('switch', { name: 'Require a user_id' }))
  })
  expect(await screen.findByText('user_id required')).toBeTruthy()
  expect(sent).toEqual([
    { id: 'e1', dailyCreditLimit: 500, monthlyCreditLimit: 10_000, userDailyMessageLimit: 50 },
    { id: 'e1', monthlyCreditLimit: null },
    { id: 'e1' },
    { id: 'e1', userDailyMessageLimit: null, requireUserId: true },
  ])
  expect(rows[0]).toMatchObject({ dailyCreditLimit: 500, monthlyCreditLimit: null, userDailyMessageLimit: null })
})

test('a limit for end users asks for a user_id, and says why', async () => {
  service([{ ...row('e1', 'Web shop'), userDailyMessageLimit: 50 }])
  const { user } = open('e1')
  await user.click(await screen.findByRole('button', { name: 'Edit “Web shop”' }))
  const needed = await screen.findByRole('switch', { name: 'Require a user_id' })
  expect(needed).toMatchObject({ checked: true, disabled: true })
  const reason = screen.getByText('Always on while there’s a limit per user.')
  expect(needed.getAttribute('aria-describedby')).toContain(reason.id)
  await user.clear(screen.getByLabelText('Messages per user per day'))
  expect(needed).toMatchObject({ checked: false, disabled: false })
})

test('limits that make no sense are refused at their fields', async () => {
  const rows = service([row('e1', 'Web shop')])
  const { user } = open('e1')
  await user.click(await screen.findByRole('button', { name: 'Edit “Web shop”' }))
  const refused = [
    ['Credits per day (UTC)', '0', 'Enter a whole number of at least 1, or leave it empty.'],
    ['Credits per month (UTC)', '90071992547409930', 'Enter a whole number of at least 1, or leave it empty.'],
    ['Messages per user per day', '1000001', 'Enter a whole number from 1 to 1,000,000, or leave it empty.'],
  ] as const
  await screen.findByRole('dialog')
  for (const [label, limit] of refused) {
    await user.click(screen.getByLabelText(label))
    await user.paste(limit)
  }
  await user.click(screen.getByRole('button', { name: 'Save' }))
  for (const [label, , words] of refused) await waitFor(() => expect(describing(label)).toContain(words))
  expect(rows[0]).toMatchObject({ dailyCreditLimit: null, monthlyCreditLimit: null, userDailyMessageLimit: null })
})

test('a limit that the service refuses is refused at its field', async () => {
  const rows = service([row('e1', 'Web shop')])
  const { user } = open('e1')
  await user.click(await screen.findByRole('button', { name: 'Edit “Web shop”' }))
  await user.type(await screen.findByLabelText('Credits per day (UTC)'), '13')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(describing('Credits per day (UTC)')).toContain('Not that limit.'))
  expect(rows[0]).toMatchObject({ dailyCreditLimit: null })
})

/** The texts that describe a field. */
function describing(label: string) {
  const ids = screen.getByLabelText(label).getAttribute('aria-describedby') ?? ''
  return ids.split(' ').map((id) => document.getElementById(id)?.textContent)
}

/** Fixes the time, in which the account is signed in. */
function at(time: string) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(time) })
  session.signedIn('good', inMinutes(15), Date.now())
}

test('the use stands against its limits, with a time to start again, and without one for itself', async () => {
  at('2026-03-30T20:30:00Z')
  service([
    { ...row('e1', 'Free'), creditsUsedToday: 1_120, creditsUsedThisMonth: 5_000 },
    {
      ...row('e2', 'Limited'),
      ...{ creditsUsedToday: 400, dailyCreditLimit: 500, creditsUsedThisMonth: 3_400, monthlyCreditLimit: 10_000 },
    },
  ])
  const { router } = open('e1')
  expect((await screen.findByText(/1,120 credits today/)).textContent).toContain('No limit')
  expect(screen.getByText(/5,000 credits this month/)).toBeTruthy()
  expect(screen.queryByText(/Resets/)).toBeNull()
  await router.navigate({ to: '/exports/$id', params: { id: 'e2' } })
  const warns = (text: string) => screen.getByText(text).style.color === 'var(--warn)'
  await screen.findByText('400 of 500 credits today')
  expect(warns('400 of 500 credits today')).toBe(true)
  expect(warns('3,400 of 10,000 credits this month')).toBe(false)
  const ends = screen.getAllByText(/^Resets/)
  expect(ends.map((text) => text.querySelector('time')?.dateTime)).toEqual([
    '2026-04-01T00:00:00.000Z',
    '2026-03-31T00:00:00.000Z',
  ])
  expect(ends[1]?.textContent).toContain(formatMinute('2026-03-31T00:00:00Z'))
  expect(screen.queryByText(/limit reached/)).toBeNull()
})

test.each([
  ['day', { monthlyCreditLimit: 10_000 }, /^Daily limit reached/],
  ['month', { monthlyCreditLimit: 3_400 }, /^Monthly limit reached/],
])('a limit of a %s that is reached says until when callers are refused', async (_, limits, words) => {
  const used = { creditsUsedToday: 500, creditsUsedThisMonth: 3_400, dailyCreditLimit: 500 }
  service([{ ...row('e1', 'Till'), ...used, ...limits }])
  open('e1')
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.getAllByText(/limit reached/)).toHaveLength(1)
})

test('a credit limit that no message fits in says so, and may be saved', async () => {
  const published = version(3)
  Object.assign(published.model, { creditsPerMessage: 3 })
  const rows = service([row('e1', 'Web shop')], { published })
  const { user } = open('e1')
  await user.click(await screen.findByRole('button', { name: 'Edit “Web shop”' }))
  const field = await screen.findByLabelText('Credits per day (UTC)')
  await user.type(field, '2')
  const hint = screen.getByText('Below the price of one message (3 credits), so every request is rejected.')
  expect(field.getAttribute('aria-describedby')).toContain(hint.id)
  expect(field.getAttribute('aria-invalid')).not.toBe('true')
  await user.clear(field)
  await user.type(field, '3')
  expect(screen.queryByText(/^Below the price of one message/)).toBeNull()
  await user.type(field, '{Backspace}1')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(rows[0]?.dailyCreditLimit).toBe(1))
})
