import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { onReauthentication } from '@/shared/gql'
import type PasswordDialog from './PasswordDialog'
import { secondFactorQuery } from './viewer'

/** A request that waits for the password or a code. */
type Waiting = {
  Dialog: typeof PasswordDialog
  byCode: boolean
  asked: EventTarget | null
  answer: (confirmed: boolean) => void
}

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

/** Asks for the password or a code when a request needs reauthentication; then the request continues or fails. Mounted once, next to the pages. */
export function Reauthentication() {
  const queryClient = useQueryClient()
  const [waiting, setWaiting] = useState<Waiting>()
  useEffect(
    () =>
      onReauthentication(async () => {
        const asked = focused
        const [{ default: Dialog }, byCode] = await Promise.all([
          import('./PasswordDialog'),
          queryClient.fetchQuery(secondFactorQuery).then(
            ({ me }) => me.secondFactor,
            () => false,
          ),
        ])
        return new Promise((answer) => setWaiting({ Dialog, byCode, asked, answer }))
      }),
    [queryClient],
  )
  if (!waiting) return null
  const { Dialog, byCode, asked, answer } = waiting
  const close = (confirmed: boolean) => {
    setWaiting(undefined)
    answer(confirmed)
  }
  return (
    <Suspense>
      <Dialog byCode={byCode} asked={asked} onEscape={onEscape} onClose={close} />
    </Suspense>
  )
}
