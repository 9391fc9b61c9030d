import { Suspense, useEffect, useState } from 'react'
import { onReauthentication } from '@/shared/gql'
import type PasswordDialog from './PasswordDialog'

/** A request that waits for the password. */
type Waiting = { Dialog: typeof PasswordDialog; asked: EventTarget | null; answer: (confirmed: boolean) => void }

// A pressed button is disabled while its request waits, and has lost the focus by then.
let focused: EventTarget | null = null
addEventListener('focusin', ({ target }) => {
  focused = target
})

// Escape must not close what lies under the dialog. Listeners are called in the order in which they were added, so this one is added
// here, before those of any other dialog.
const onEscape: { close?: () => void } = {}
const onKeyDown = (event: KeyboardEvent) => {
  if (event.key !== 'Escape' || event.isComposing || !onEscape.close) return
  event.stopImmediatePropagation()
  onEscape.close()
}
addEventListener('keydown', onKeyDown, { capture: true })

/** Asks for the password in place when a request needs it, and lets the request go on or fail. Mounted once, beside the pages. */
export function Reauthentication() {
  const [waiting, setWaiting] = useState<Waiting>()
  useEffect(
    () =>
      onReauthentication(async () => {
        const asked = focused
        const { default: Dialog } = await import('./PasswordDialog')
        return new Promise((answer) => setWaiting({ Dialog, asked, answer }))
      }),
    [],
  )
  if (!waiting) return null
  const { Dialog, asked, answer } = waiting
  const close = (confirmed: boolean) => {
    setWaiting(undefined)
    answer(confirmed)
  }
  return (
    <Suspense>
      <Dialog asked={asked} onEscape={onEscape} onClose={close} />
    </Suspense>
  )
}
