import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { renderInPanel } from '@/shared/testing/render'
import { Dialog } from './Dialog'
import { notifyDone } from './notify'

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
