import { Alert, Badge, Code, Group, Loader, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration, formatNumber } from '@/shared/format'
import { MarkdownText } from '@/shared/markdown'
import { formatDateTime } from '@/shared/time'
import { AppLink, CopyButton, Credits, CutOff } from '@/shared/ui'
import classes from './Conversations.module.css'
import { LongText } from './LongText'
import type { Conversation, Turn } from './queries'
import { Variables } from './Variables'

/** The error codes that the panel has texts for. */
const failures = [
  'model_timeout',
  'model_unavailable',
  'model_error',
  'content_blocked',
  'stopped',
  'unavailable',
  'internal',
] as const

/** The failure's key among the strings; `other` for codes that this panel does not know. */
export function failureName(code: string | null | undefined) {
  return failures.find((known) => known === code) ?? 'other'
}

type Props = { turn: Turn; agent: Conversation['agent'] }

/** One message and its outcome. */
export function TurnItem({ turn, agent }: Props) {
  const { t } = useTranslation('conversations')
  const title = t('turn', { number: formatNumber(turn.number) })
  return (
    <Paper component="article" aria-label={title} p="md" className={classes.turn}>
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <Text component="h2" size="sm" fw={600}>
            {title}
          </Text>
          {turn.state === 'FAILED' && <Badge color="red">{t('failed')}</Badge>}
        </Group>
        <Text component="time" dateTime={turn.createdAt} size="sm" c="dimmed" className="panel-numbers">
          {formatDateTime(turn.createdAt)}
        </Text>
      </Group>
      <div>
        <Text size="xs" c="dimmed">
          {t('message')}
        </Text>
        <div className={classes.message}>
          <LongText text={turn.message}>{(text) => <div className={classes.plain}>{text}</div>}</LongText>
        </div>
      </div>
      <Variables variables={turn.variables} />
      <Result turn={turn} />
      <Facts turn={turn} agent={agent} />
    </Paper>
  )
}

function Result({ turn }: { turn: Turn }) {
  const { t } = useTranslation('conversations')
  if (turn.state === 'PENDING') {
    return (
      <Group gap="xs" c="dimmed">
        <Loader size={14} type="dots" color="gray" aria-hidden />
        <Text size="sm">{t('pending')}</Text>
      </Group>
    )
  }
  if (turn.state === 'FAILED') {
    return (
      <Alert color="red" py="xs">
        <Text size="md">{t(`failure.${failureName(turn.errorCode)}`)}</Text>
        {turn.errorCode && (
          <Text size="xs" c="dimmed" mt={4} component="div">
            {t('code')} <Code className="panel-user-text">{turn.errorCode}</Code>
          </Text>
        )}
      </Alert>
    )
  }
  return (
    <div>
      <Text size="xs" c="dimmed">
        {t('reply')}
      </Text>
      <div className={classes.reply}>
        <LongText text={turn.reply ?? ''}>{(text) => <MarkdownText text={text} blockLabel={t('block')} />}</LongText>
      </div>
      {turn.finishReason === 'stopped' && (
        <Text size="sm" mt={4} c="dimmed">
          {t('stopped')}
        </Text>
      )}
      <CutOff finishReason={turn.finishReason} size="sm" />
    </div>
  )
}

/** The model, tokens, credits and request ID of a turn. */
function Facts({ turn, agent }: Props) {
  const { t } = useTranslation('conversations')
  return (
    <dl className={`${classes.facts} panel-numbers`}>
      <Fact name={t('model')}>
        <span className="panel-user-text">{turn.model}</span>
      </Fact>
      <VersionFact turn={turn} agent={agent} />
      {(turn.inputTokens != null || turn.outputTokens != null) && (
        <Fact name={t('tokens')}>
          {t('tokensText', { input: amount(turn.inputTokens), output: amount(turn.outputTokens) })}
        </Fact>
      )}
      <Fact name={t('credits')}>
        <Credits value={turn.credits} bare />
      </Fact>
      {turn.durationMs != null && <Fact name={t('duration')}>{formatDuration(turn.durationMs)}</Fact>}
      {turn.export && (
        <Fact name={t('export')}>
          <AppLink
            to="/agents/$id"
            params={{ id: agent.id }}
            search={{ node: 'channels' }}
            inherit
            className="panel-user-text"
          >
            {turn.export.name}
          </AppLink>
        </Fact>
      )}
      <Fact name={t('requestId')}>
        <Code className="panel-user-text">{turn.requestId}</Code>
        <CopyButton iconOnly value={turn.requestId} label={t('copyRequestId', { number: formatNumber(turn.number) })} />
      </Fact>
    </dl>
  )
}

/** Which version answered. Turns of the API from before there were versions have none. */
function VersionFact({ turn: { version, source }, agent }: Props) {
  const { t } = useTranslation('conversations')
  if (version == null) return source === 'PLAYGROUND' ? <Fact name={t('version')}>{t('draft')}</Fact> : null
  return (
    <Fact name={t('version')}>
      <AppLink to="/agents/$id/versions" params={{ id: agent.id }} search={{ open: version }} inherit>
        {t('versionNumber', { number: version })}
      </AppLink>
    </Fact>
  )
}

const amount = (tokens: number | null | undefined) => (tokens == null ? '–' : formatNumber(tokens))

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
