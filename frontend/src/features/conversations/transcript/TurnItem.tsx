import { Alert, Badge, Code, Group, Loader, Text, VisuallyHidden } from '@mantine/core'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '@/features/auth'
import { formatDuration, formatNumber } from '@/shared/format'
import { CutOff, SentText } from '@/shared/markdown'
import { formatDateTime } from '@/shared/time'
import { AppLink, Credits } from '@/shared/ui'
import classes from '../Conversations.module.css'
import type { Conversation, Turn } from '../queries'
import { ActionCalls } from '../turn/ActionCalls'
import { ActionResults } from '../turn/ActionResults'
import { CitedSources } from '../turn/CitedSources'
import { ModelSaw } from '../turn/ModelSaw'
import { TurnFacts } from './TurnFacts'
import { Variables } from './Variables'

/** The error codes that the panel has texts for. */
const failures = [
  'model_timeout',
  'model_unavailable',
  'model_error',
  'invalid_output',
  'content_blocked',
  'stopped',
  'unavailable',
  'internal',
] as const

/** The failure's key among the strings; `other` for codes that this panel does not know. */
export function failureName(code: string | null | undefined) {
  return failures.find((known) => known === code) ?? 'other'
}

type Props = {
  turn: Turn
  agent: Conversation['agent']
  /** Whether the message or the reply has what was searched for. */
  asked: boolean
  replied: boolean
}

/** One message and its outcome, as the two sides of a talk. Memoized: of hundreds of turns, only those that have come are rendered. */
export const TurnItem = memo(function TurnItem({ turn, agent, asked, replied }: Props) {
  const { t } = useTranslation('conversations')
  const title = t('turn', { number: formatNumber(turn.number) })
  const facts = (
    <div className={`${classes.line} ${classes.under} panel-numbers`}>
      {turn.state === 'FAILED' && <Badge color="red">{t('failed')}</Badge>}
      {turn.background && <Badge color="gray">{t('background')}</Badge>}
      <time dateTime={turn.createdAt}>{formatDateTime(turn.createdAt)}</time>
      {turn.durationMs != null && <span>{formatDuration(turn.durationMs)}</span>}
      <Credits value={turn.credits} />
      <Version turn={turn} agent={agent} />
      {turn.fallback && (
        <span className="panel-user-text">
          {t(turn.state === 'FAILED' ? 'failedByFallback' : 'answeredByFallback', { model: turn.model })}
        </span>
      )}
      {turn.export && (
        <AppLink to="/exports/$id" params={{ id: turn.export.id }} inherit className="panel-user-text">
          {turn.export.name}
        </AppLink>
      )}
    </div>
  )
  return (
    <article aria-label={title} className={classes.turn}>
      <VisuallyHidden component="h2">{title}</VisuallyHidden>
      {turn.actionResults.length > 0 ? (
        <ActionResults results={turn.actionResults} box={`${classes.message} ${classes.results}`} />
      ) : (
        <SentText text={turn.message} name={t('message')} box={classes.message} asked whole={asked} />
      )}
      <Result turn={turn} whole={replied} />
      <CitedSources sources={turn.sources} agentId={agent.id} />
      {turn.state === 'ANSWERED' ? (
        <ModelSaw turnId={turn.id} before={facts}>
          <May least="EDITOR">
            <AppLink to="/agents/$id" params={{ id: agent.id }} search={{ continue: turn.id }} size="xs">
              {t('continueInTry')}
            </AppLink>
          </May>
        </ModelSaw>
      ) : (
        facts
      )}
      {/* A reader of a failure looks for its request ID. */}
      <details className={classes.more} open={turn.state === 'FAILED'}>
        <summary>{t('details')}</summary>
        <TurnFacts turn={turn} />
        <Variables variables={turn.variables} />
      </details>
    </article>
  )
})

/** `whole` shows a long reply at once. */
function Result({ turn, whole }: { turn: Turn; whole: boolean }) {
  const { t } = useTranslation('conversations')
  if (turn.state === 'PENDING') {
    return (
      <Group gap="xs" c="dimmed">
        <Loader size={14} type="dots" color="gray" aria-hidden />
        <Text size="sm">{t(turn.background ? 'pendingInBackground' : 'pending')}</Text>
      </Group>
    )
  }
  if (turn.state === 'FAILED') {
    return (
      <>
        <Alert color="red" py="xs" className={classes.noReply}>
          <Text size="md">{t(`failure.${failureName(turn.errorCode)}`)}</Text>
          {turn.errorCode && (
            <Text size="xs" c="dimmed" mt={4} component="div">
              {t('code')} <Code className="panel-user-text">{turn.errorCode}</Code>
            </Text>
          )}
        </Alert>
        {turn.misfit != null && (
          <div>
            <Text size="sm" c="dimmed">
              {t('misfit')}
            </Text>
            <SentText text={turn.misfit} name={t('misfit')} box={classes.reply} />
          </div>
        )}
      </>
    )
  }
  return (
    <>
      {(turn.reply !== '' || turn.actionCalls.length === 0) && <Reply turn={turn} whole={whole} />}
      <ActionCalls calls={turn.actionCalls} />
    </>
  )
}

function Reply({ turn, whole }: { turn: Turn; whole: boolean }) {
  const { t } = useTranslation('conversations')
  return (
    <SentText
      text={turn.reply ?? ''}
      name={t('reply')}
      blockLabel={t('block')}
      json={turn.output != null}
      box={classes.reply}
      whole={whole}
    >
      {turn.finishReason === 'stopped' && (
        <Text size="sm" mt={4} c="dimmed">
          {t('stopped')}
        </Text>
      )}
      <CutOff finishReason={turn.finishReason} size="sm" />
    </SentText>
  )
}

/** Which version answered; the playground's draft has none. */
function Version({ turn: { version, source }, agent }: Pick<Props, 'turn' | 'agent'>) {
  const { t } = useTranslation('conversations')
  if (version == null) return source === 'PLAYGROUND' ? <span>{t('draft')}</span> : null
  return (
    <AppLink to="/agents/$id/versions" params={{ id: agent.id }} search={{ open: version }} inherit>
      {t('versionNumber', { number: version })}
    </AppLink>
  )
}
