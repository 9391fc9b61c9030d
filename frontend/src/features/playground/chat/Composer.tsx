import { Button, Group, Text, Textarea } from '@mantine/core'
import { IconPlayerStop, IconSend } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { isTooLong } from '@/shared/ui'
import type { Phase } from '../messages/entries'
import classes from '../Playground.module.css'
import type { Message } from './useMessage'

/** The longest message that the service accepts, in Unicode code points. */
const maxMessage = 32_768

type Props = {
  ref: RefObject<HTMLTextAreaElement | null>
  message: Message
  /** Whether a message can be sent. If not, what is typed stays. */
  ready: boolean
  /** The progress of the current message; undefined without one. */
  phase: Phase | undefined
  /** What it costs to stop and keep what has come. */
  price: number
  placeholder?: string
  /** Said under the field. */
  note?: string
  onSend: (message: string) => void
  onStop: () => void
}

/** The message field: Enter sends, Shift+Enter starts a new line. */
export function Composer({
  ref: area,
  message: { text, setText, isRestored },
  ready,
  phase,
  price,
  placeholder,
  note,
  onSend,
  onStop,
}: Props) {
  const { t } = useTranslation('playground')
  const tooLong = isTooLong(text, maxMessage)
  const sendable = ready && !phase && !tooLong && text.trim() !== ''

  const send = () => {
    if (!sendable) return
    onSend(text)
    setText('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms IME input, for example Japanese.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Textarea
        ref={area}
        aria-label={t('message')}
        placeholder={placeholder ?? t('messagePlaceholder')}
        error={tooLong && t('tooLong', { limit: formatNumber(maxMessage) })}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        autosize
        minRows={2}
        maxRows={8}
      />
      <Group justify="space-between" gap="xs" mt={8}>
        <Text size="xs" c="dimmed">
          {isRestored ? t('restored', { ns: 'agents' }) : t('keys')}
          {note && <span className={classes.note}>{note}</span>}
        </Text>
        <Group gap="xs" wrap="nowrap" ml="auto">
          {phase && phase !== 'stopping' && (
            <StopButton onStop={onStop} onGone={() => area.current?.focus()}>
              {phase === 'asked' ? t('stop') : t('stopKeep', { count: price, price: formatNumber(price) })}
            </StopButton>
          )}
          <Button
            type="submit"
            style={{ flexShrink: 0 }}
            disabled={!sendable}
            leftSection={<IconSend size={16} aria-hidden />}
          >
            {t('send')}
          </Button>
        </Group>
      </Group>
    </form>
  )
}

/** Disappears when there is nothing left to stop, and hands the focus on if it had it. */
function StopButton({ onStop, onGone, children }: { onStop: () => void; onGone: () => void; children: ReactNode }) {
  const button = useRef<HTMLButtonElement>(null)
  const gone = useRef(onGone)
  useLayoutEffect(() => {
    const mine = button.current
    return () => {
      if (mine && document.activeElement === mine) gone.current()
    }
  }, [])
  return (
    <Button
      ref={button}
      variant="default"
      classNames={{ root: classes.stop, label: classes.stopLabel }}
      leftSection={<IconPlayerStop size={16} aria-hidden />}
      onClick={onStop}
    >
      {children}
    </Button>
  )
}
