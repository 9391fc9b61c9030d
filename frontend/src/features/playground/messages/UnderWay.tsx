import { Group, Loader, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { PlainText } from '@/shared/markdown'
import classes from '../Playground.module.css'
import type { Outcome } from './entries'
import type { LiveText } from './liveText'

type Props = { outcome: Extract<Outcome, { kind: 'waiting' }> }

/** A message in progress: the elapsed time, and the reply as it arrives. */
export function UnderWay({ outcome: { since, phase, reply } }: Props) {
  const { t } = useTranslation('playground')
  return (
    <Stack gap={4}>
      {(phase === 'coming' || reply.text !== '') && <Coming reply={reply} />}
      <Group gap="xs" c="dimmed">
        <Loader size={14} type="dots" color="gray" aria-hidden />
        <Text size="sm">{t(`phase.${phase}`)}</Text>
        <Seconds since={since} />
      </Group>
    </Stack>
  )
}

/** Screen readers announce the reply when it is complete, not word by word. */
function Coming({ reply }: { reply: LiveText }) {
  const { t } = useTranslation('playground')
  const text = useSyncExternalStore(reply.subscribe, reply.shown)
  return (
    <div className={classes.bubble} aria-live="off" aria-busy>
      <VisuallyHidden>{t('agent')} </VisuallyHidden>
      <PlainText text={text} />
    </div>
  )
}

/** A running count of seconds, hidden from screen readers. */
function Seconds({ since }: { since: number }) {
  const { t } = useTranslation('playground')
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <Text size="sm" className="panel-numbers" aria-hidden>
      {t('seconds', { seconds: Math.max(0, Math.floor((now - since) / 1_000)) })}
    </Text>
  )
}
