import { Button, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useMutation } from '@tanstack/react-query'
import { createRef, type ReactNode, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { FormError } from '../forms/FormError'
import { useToastsWait } from './toasts'

export type ConfirmOptions = {
  /** The question, with the thing's name: "Remove export “Shop”?" */
  title: string
  /** What will happen. */
  body: ReactNode
  /** The verb: "Remove export". */
  confirmLabel: string
  /** Makes the button red: something will be lost. */
  danger?: boolean
  /** Leaves room for more than a few sentences. */
  wide?: boolean
  /** Runs on click. The dialog stays open until it is done, and shows its error. */
  onConfirm: () => Promise<unknown>
}

/** Opens the dialog. Afterwards the focus returns to what opened it. */
export function openConfirmation(options: ConfirmOptions, asked: Element | null) {
  const dialog = createRef<HTMLDivElement>()
  // Not left to Mantine, which would move the focus away from where it was put when the pressed button was removed.
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
    size: options.wide ? 800 : undefined,
    closeOnClickOutside: false,
    returnFocus: false,
    onExitTransitionEnd: returnFocus,
  })
}

type QuestionProps = ConfirmOptions & { place: Ref<HTMLDivElement>; close: () => void }

function Question({ body, confirmLabel, danger, wide, onConfirm, place, close }: QuestionProps) {
  const { t } = useTranslation()
  useToastsWait()
  const confirmation = useMutation({ mutationFn: onConfirm, onSuccess: close })
  return (
    <Stack gap="md" ref={place} className={wide ? 'panel-dialog-whole' : undefined}>
      {typeof body === 'string' ? <Text className="panel-user-text">{body}</Text> : body}
      <FormError error={confirmation.error} onClose={confirmation.reset} />
      <Group justify="flex-end" gap="xs" mt="auto" className={wide ? 'panel-dialog-foot' : undefined}>
        <Button variant="default" onClick={close} data-autofocus>
          {t('cancel')}
        </Button>
        <Button
          color={danger ? 'red' : undefined}
          onClick={() => confirmation.mutate()}
          loading={confirmation.isPending || confirmation.isSuccess}
        >
          {confirmLabel}
        </Button>
      </Group>
    </Stack>
  )
}
