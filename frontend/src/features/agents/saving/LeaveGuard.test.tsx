import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { type Departure, mayLeave } from '@/shared/navigation/leaving'
import { renderInPanel } from '@/shared/testing/render'
import { LeaveGuard } from './LeaveGuard'

/** A form that saves until `end` is called. */
function slowForm() {
  const state = { saved: false, end: (_saved: boolean) => {} }
  const saver = {
    isSaved: () => state.saved,
    flush: () =>
      new Promise<boolean>((resolve) => {
        state.end = (saved) => {
          state.saved = saved
          resolve(saved)
        }
      }),
    hurry: vi.fn(),
    stop: vi.fn(),
  }
  renderInPanel(<LeaveGuard agentId="a1" saver={saver} />)
  return { state, saver }
}

const departure = (): Departure => ({ signal: new AbortController().signal, discards: new Set() })

/** Begins to leave, and waits until the form has been given its time to save. */
async function leave(going: Departure) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const left = mayLeave(going)
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  vi.useRealTimers()
  return { left }
}

test('a save that takes long is asked about, and its success answers', async () => {
  const { state } = slowForm()
  const { left } = await leave(departure())
  await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await act(async () => state.end(true))
  expect(await left).toBe(true)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('what is discarded goes only when the page is left', async () => {
  const { saver } = slowForm()
  const going = departure()
  const { left } = await leave(going)
  await userEvent.click(await screen.findByRole('button', { name: 'Discard changes' }))
  expect(await left).toBe(true)
  expect(saver.stop).not.toHaveBeenCalled()
  expect(await mayLeave(going)).toBe(true)
  for (const discard of going.discards) discard()
  expect(saver.stop).toHaveBeenCalled()
})

test('a navigation that was replaced does not ask', async () => {
  slowForm()
  const replaced = new AbortController()
  replaced.abort()
  const { left } = await leave({ signal: replaced.signal, discards: new Set() })
  expect(await left).toBe(false)
  expect(screen.queryByRole('dialog')).toBeNull()
})
