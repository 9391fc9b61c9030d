import { ActionIcon, Button, type ButtonProps, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText, select } from './copy'

type Props = Omit<ButtonProps, 'children'> & {
  /** What is copied. */
  value: string
  /** The button's label, "Copy" by default. With `iconOnly` it is the accessible name. */
  label?: string
  /** The element that shows exactly this. If copying fails it is selected, to copy by hand; without one, a field with the text appears. */
  shown?: RefObject<HTMLElement | null>
  iconOnly?: boolean
  /** Shown until it is pressed; two sheets by default. */
  icon?: typeof IconCopy
  onCopied?: () => void
}

const shownForMs = 3_000

type State = 'idle' | 'copied' | 'failed'

/** Copies a text. Shows "Copied" only if the clipboard has it; otherwise it explains how to copy by hand. */
export function CopyButton({ value, label, shown, iconOnly = false, icon = IconCopy, onCopied, ...button }: Props) {
  const { t } = useTranslation()
  const [state, setState] = useState<State>('idle')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const copy = async () => {
    const copied = await copyText(value, shown?.current)
    setState(copied ? 'copied' : 'failed')
    clearTimeout(timer.current)
    if (!copied) return
    timer.current = setTimeout(() => setState('idle'), shownForMs)
    onCopied?.()
  }

  const idle = label ?? t('copy.copy')
  const text = state === 'copied' ? t('copy.copied') : state === 'failed' ? t('copy.failed') : idle
  const Icon = state === 'copied' ? IconCheck : state === 'failed' ? IconAlertTriangle : icon
  return (
    <>
      {iconOnly ? (
        <Tooltip label={text} opened={state === 'idle' ? undefined : true}>
          <ActionIcon aria-label={text} aria-live="polite" onClick={copy}>
            <Icon size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ) : (
        <Button
          variant="default"
          leftSection={<Icon size={16} aria-hidden />}
          aria-live="polite"
          onClick={copy}
          {...button}
        >
          {text}
        </Button>
      )}
      {state === 'failed' && !shown && (
        <textarea ref={selectOnce} className="panel-value" aria-label={idle} readOnly rows={3} value={value} />
      )}
    </>
  )
}

const selectOnce = (area: HTMLTextAreaElement | null) => {
  if (area) select(area)
}
