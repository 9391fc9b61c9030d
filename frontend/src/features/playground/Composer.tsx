import { Button, Group, Text, Textarea } from '@mantine/core'
import { IconPlayerStop, IconSend } from '@tabler/icons-react'
import { type KeyboardEvent, type Ref, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'

/** What the service takes, in Unicode code points. */
const maxMessage = 32_768

type Props = {
  ref: Ref<HTMLTextAreaElement>
  /** Whether a message could be answered. What is typed stays when not. */
  ready: boolean
  waiting: boolean
  onSend: (message: string) => void
  onStop: () => void
}

/** Where a message is typed: Enter sends it, Shift+Enter begins a line. */
export function Composer({ ref, ready, waiting, onSend, onStop }: Props) {
  const { t } = useTranslation('playground')
  const [text, setText] = useState('')
  // Code points are at most the units of length, so counting is for long texts only.
  const tooLong = text.length > maxMessage && Array.from(text).length > maxMessage
  const sendable = ready && !waiting && !tooLong && text.trim() !== ''

  const send = () => {
    if (!sendable) return
    onSend(text)
    setText('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also ends a composition, of Japanese for instance; that one is not ours.
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
        ref={ref}
        aria-label={t('message')}
        placeholder={t('messagePlaceholder')}
        error={tooLong && t('tooLong', { limit: formatNumber(maxMessage) })}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        autosize
        minRows={2}
        maxRows={8}
      />
      <Group justify="space-between" gap="xs" mt={8} wrap="nowrap">
        <Text size="xs" c="dimmed">
          {t('keys')}
        </Text>
        <Group gap="xs" wrap="nowrap">
          {waiting && (
            <Button variant="default" leftSection={<IconPlayerStop size={16} aria-hidden />} onClick={onStop}>
              {t('stop')}
            </Button>
          )}
          <Button type="submit" disabled={!sendable} leftSection={<IconSend size={16} aria-hidden />}>
            {t('send')}
          </Button>
        </Group>
      </Group>
    </form>
  )
}
