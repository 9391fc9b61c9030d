import { act, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { renderInPanel } from '@/shared/testing/render'
import { Dialog } from './Dialog'
import { notifyDone } from './notify'
import { showToast } from './toasts'

function Page() {
  const [open, setOpen] = useState(true)
  return open && <Dialog title="Publish" onClose={() => setOpen(false)} />
}

test('a toast waits until the dialog closes', async () => {
  renderInPanel(<Page />)
  const close = await screen.findByRole('button', { name: 'Close' })
  notifyDone('Saved')
  await userEvent.hover(close)
  expect(screen.queryByText('Saved')).toBeNull()
  await userEvent.click(close)
  expect(await screen.findByText('Saved')).toBeTruthy()
})

const texts = () => screen.getAllByRole('group').map(({ textContent }) => textContent)
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('five toasts are shown, the newest first, in a polite live region', () => {
  renderInPanel(<main />)
  act(() => [1, 2, 3, 4, 5, 6].forEach((n) => void showToast({ children: `${n}` })))
  expect(texts()).toEqual(['6', '5', '4', '3', '2'])
  expect(screen.getByText('6').closest('[aria-live]')?.getAttribute('aria-live')).toBe('polite')
})

test('the focus keeps a toast open, as the pointer does', async () => {
  vi.useFakeTimers()
  renderInPanel(<main />)
  act(() => void showToast({ children: 'Saved', closesAfter: 4_000 }))
  fireEvent.focus(screen.getByRole('button', { name: 'Close' }))
  await pass(60_000)
  expect(texts()).toEqual(['Saved'])
  fireEvent.blur(screen.getByRole('button', { name: 'Close' }))
  await pass(4_000)
  expect(screen.queryByRole('group')).toBeNull()
})
