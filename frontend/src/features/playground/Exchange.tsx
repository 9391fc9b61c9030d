import { Alert, Button, Group, Loader, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconRefresh, IconTerminal2 } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { hasCode } from '@/shared/gql'
import { MarkdownText } from '@/shared/markdown'
import { Credits, errorText, RequestId } from '@/shared/ui'
import { CreditsHelp } from './CreditNotice'
import { type Entry, failureName, isUnknown, mayRetry } from './entries'
import classes from './Playground.module.css'
import type { SentTurn } from './queries'

type Props = {
  entry: Entry
  /** Missing while another message is under way. */
  onRetry?: () => void
  onCurl: () => void
}

/** One message and what became of it. */
export function Exchange({ entry, onRetry, onCurl }: Props) {
  const { t } = useTranslation('playground')
  return (
    <Stack gap={8} component="article" aria-label={t('exchange')}>
      <div>
        <div className={`${classes.bubble} ${classes.asked} panel-user-text`}>
          <VisuallyHidden>{t('you')} </VisuallyHidden>
          {entry.message}
        </div>
        <Group justify="flex-end" mt={4}>
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<IconTerminal2 size={14} aria-hidden />}
            onClick={onCurl}
          >
            {t('asCurl')}
          </Button>
        </Group>
      </div>
      <Result entry={entry} onRetry={onRetry} />
    </Stack>
  )
}

function Result({ entry: { outcome }, onRetry }: { entry: Entry; onRetry?: () => void }) {
  const { t } = useTranslation('playground')
  if (outcome.kind === 'waiting') return <Waiting since={outcome.since} />
  if (outcome.kind === 'turn' && outcome.turn.state === 'ANSWERED') return <Reply turn={outcome.turn} />
  const retry = mayRetry(outcome) ? onRetry : undefined
  if (outcome.kind === 'stopped') {
    return (
      <Trouble title={t('stopped')} onRetry={retry}>
        {t('stoppedText')}
      </Trouble>
    )
  }
  if (outcome.kind === 'turn') {
    const { turn } = outcome
    if (turn.state === 'PENDING') {
      return (
        <Trouble title={t('pending')} onRetry={retry}>
          {t('unknownText')}
        </Trouble>
      )
    }
    return (
      <Trouble title={t(`failure.${failureName(turn.errorCode)}`)} requestId={turn.requestId} onRetry={retry}>
        {t('notCharged')}
      </Trouble>
    )
  }
  const { error } = outcome
  return (
    <Trouble title={t('notAnswered')} requestId={error.requestId} onRetry={retry}>
      {errorText(error)}
      {isUnknown(outcome) ? ` ${t('unknownText')}` : ''}
      {hasCode(error, 'INSUFFICIENT_CREDITS') && <CreditsHelp />}
    </Trouble>
  )
}

function Reply({ turn }: { turn: SentTurn }) {
  const { t } = useTranslation('playground')
  return (
    <div>
      <div className={classes.bubble}>
        <VisuallyHidden>{t('agent')} </VisuallyHidden>
        <MarkdownText text={turn.reply ?? ''} blockLabel={t('block')} />
      </div>
      {turn.finishReason === 'length' && (
        <Text size="xs" mt={4} c="var(--panel-warning)">
          {t('cut')}
        </Text>
      )}
      <Text size="xs" c="dimmed" mt={4} className="panel-user-text">
        <Credits value={turn.credits} /> · {turn.model}
        {turn.durationMs != null &&
          ` · ${t('seconds', { seconds: formatNumber(Math.round(turn.durationMs / 100) / 10) })}`}
      </Text>
    </div>
  )
}

/** A message without a reply: why, what it cost, what to do. */
function Trouble({
  title,
  requestId,
  onRetry,
  children,
}: {
  title: string
  requestId?: string
  onRetry?: () => void
  children: ReactNode
}) {
  const { t } = useTranslation('playground')
  return (
    <Alert color="red" title={title} className="panel-user-text">
      <Stack gap={8} align="flex-start">
        <Text size="sm" component="div">
          {children}
        </Text>
        {onRetry && (
          <Button size="xs" variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
            {t('error.retry', { ns: 'common' })}
          </Button>
        )}
        {requestId && <RequestId id={requestId} />}
      </Stack>
    </Alert>
  )
}

function Waiting({ since }: { since: number }) {
  const { t } = useTranslation('playground')
  const seconds = useSeconds(since)
  return (
    <Group gap="xs" c="dimmed">
      <Loader size={14} type="dots" color="gray" aria-hidden />
      <Text size="sm">{t('waiting')}</Text>
      {/* Not read out each second. */}
      <Text size="sm" className="panel-numbers" aria-hidden>
        {t('seconds', { seconds })}
      </Text>
    </Group>
  )
}

/** Whole seconds since a moment, counting on. */
function useSeconds(since: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.floor((now - since) / 1_000))
}
