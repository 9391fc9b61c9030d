import { Button, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { createRef, type Ref, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConfirmOptions } from './confirm'
import { FormError } from './FormError'

export function openConfirmation(options: ConfirmOptions) {
  const asked = document.activeElement
  const dialog = createRef<HTMLDivElement>()
  // Not left to the kit, which takes the focus away from where it was put after the button that asked went with what was removed.
  const returnFocus = () => {
    const focused = document.activeElement
    const elsewhere = focused !== document.body && !dialog.current?.closest('[role="dialog"]')?.contains(focused)
    if (!elsewhere && asked instanceof HTMLElement) asked.focus()
  }
  const id: string = modals.open({
    title: (
      <span className="panel-user-text" style={{ display: 'block' }}>
        {options.title}
      </span>
    ),
    children: <Question {...options} place={dialog} close={() => modals.close(id)} />,
    closeOnClickOutside: false,
    returnFocus: false,
    onExitTransitionEnd: returnFocus,
  })
}

type QuestionProps = ConfirmOptions & { place: Ref<HTMLDivElement>; close: () => void }

function Question({ body, confirmLabel, danger, onConfirm, place, close }: QuestionProps) {
  const { t } = useTranslation()
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>()
  const run = async () => {
    setPending(true)
    setError(undefined)
    try {
      await onConfirm()
      close()
    } catch (thrown) {
      setError(thrown)
      setPending(false)
    }
  }
  return (
    <Stack gap="md" ref={place}>
      {typeof body === 'string' ? <Text className="panel-user-text">{body}</Text> : body}
      <FormError error={error} onClose={() => setError(undefined)} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={close} data-autofocus>
          {t('cancel')}
        </Button>
        <Button color={danger ? 'red.9' : undefined} onClick={run} loading={pending}>
          {confirmLabel}
        </Button>
      </Group>
    </Stack>
  )
}
