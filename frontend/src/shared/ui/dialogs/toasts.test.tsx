import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderInPanel } from '@/shared/testing/render'
import { Dialog } from './Dialog'
import { notifyDone } from './notify'
import { Toasts } from './toasts'

test('a toast waits until the dialog closes', async () => {
  const { rerender } = renderInPanel(
    <>
      <Toasts />
      <Dialog title="Publish" onClose={() => undefined} />
    </>,
  )
  await screen.findByRole('dialog')
  notifyDone('Saved')
  expect(screen.queryByText('Saved')).toBeNull()
  rerender(<Toasts />)
  expect(await screen.findByText('Saved')).toBeTruthy()
})
