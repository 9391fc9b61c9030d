import { Alert, Badge, Code, Group, Loader, Text, VisuallyHidden } from '@mantine/core'
import { memo, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration, formatNumber } from '@/shared/format'
import { CutOff, SentText } from '@/shared/markdown'
import { formatClock, formatDateTime } from '@/shared/time'
import { AppLink, CopyButton, Credits, RequestId } from '@/shared/ui'
import type { Conversation, Turn } from '../queries'
import { ActionCalls } from '../turn/ActionCalls'
import { ActionResults } from '../turn/ActionResults'
import { CitedSources } from '../turn/CitedSources'
import { ModelSaw } from '../turn/ModelSaw'
import { RatingButtons } from '../turn/RatingButtons'
import { RatingMarks } from '../turn/RatingMarks'
import { useRating } from '../turn/ratings'
import classes from './Transcript.module.css'
import { TurnTools } from './TurnTools'
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
  const [exact, setExact] = useState(false)
  const title = t('turn', { number: formatNumber(turn.number) })
  const more = (
    <span className={classes.tools}>
      {turn.request && (
        <AppLink to="/activity/requests" search={{ id: turn.request.id }} size="xs">
          {t('openRequest')}
        </AppLink>
      )}
      <TurnTools turn={turn} agentId={agent.id} exact={exact} setExact={setExact} />
    </span>
  )
  return (
    <article aria-label={title} className={classes.turn}>
      <VisuallyHidden component="h3">{title}</VisuallyHidden>
      {turn.actionResults.length > 0 ? (
        <ActionResults results={turn.actionResults} box={`${classes.message} ${classes.results}`} />
      ) : (
        <div className={classes.asked}>
          <span className={classes.copy}>
            <CopyButton iconOnly value={turn.message} />
          </span>
          <SentText text={turn.message} name={t('message')} box={classes.message} whole={asked} exact={exact} />
        </div>
      )}
      <Result turn={turn} whole={replied} exact={exact} />
      <CitedSources sources={turn.sources} agentId={agent.id} />
      {turn.state === 'ANSWERED' ? (
        <Answered turn={turn} agent={agent}>
          {more}
        </Answered>
      ) : (
        <div className={classes.line}>
          <Figures turn={turn} agent={agent} />
          {more}
        </div>
      )}
      <Variables variables={turn.variables} />
    </article>
  )
})

/** The line under a reply, and its ratings. */
function Answered({ turn, agent, children }: Pick<Props, 'turn' | 'agent'> & { children: ReactNode }) {
  const rating = useRating(turn)
  return (
    <>
      <ModelSaw turnId={turn.id} before={<Figures turn={turn} agent={agent} />}>
        <RatingButtons rating={rating} />
        {children}
      </ModelSaw>
      <RatingMarks rating={rating} />
    </>
  )
}

/** When a turn was, how long it took, what it cost, and which version answered. */
function Figures({ turn, agent }: Pick<Props, 'turn' | 'agent'>) {
  const { t } = useTranslation('conversations')
  return (
    <div className={`${classes.line} panel-numbers`}>
      {turn.state === 'FAILED' && <Badge color="red">{t('failed')}</Badge>}
      {turn.background && <Badge color="gray">{t('background')}</Badge>}
      <time dateTime={turn.createdAt} title={formatDateTime(turn.createdAt)}>
        {formatClock(turn.createdAt)}
      </time>
      {turn.durationMs != null && <span>{formatDuration(turn.durationMs)}</span>}
      <Credits value={turn.credits} />
      <Version turn={turn} agent={agent} />
      {turn.fallback && (
        <span className="panel-user-text">
          {t(turn.state === 'FAILED' ? 'failedByFallback' : 'answeredByFallback', { model: turn.model })}
        </span>
      )}
    </div>
  )
}

type ResultProps = {
  turn: Turn
  /** Shows a long reply at once. */
  whole: boolean
  exact: boolean
}

function Result(props: ResultProps) {
  const { t } = useTranslation('conversations')
  const { turn } = props
  if (turn.state === 'PENDING') {
    return (
      <Group gap="xs" c="dimmed">
        <Loader size={14} type="dots" color="gray" aria-hidden />
        <Text size="sm">{t(turn.background ? 'pendingInBackground' : 'pending')}</Text>
      </Group>
    )
  }
  if (turn.state === 'FAILED') return <Failure turn={turn} />
  return (
    <>
      {(turn.reply !== '' || turn.actionCalls.length === 0) && <Reply {...props} />}
      <ActionCalls calls={turn.actionCalls} />
    </>
  )
}

function Failure({ turn }: { turn: Turn }) {
  const { t } = useTranslation('conversations')
  return (
    <>
      <Alert color="red" py="xs" className={classes.noReply}>
        <Text size="md">{t(`failure.${failureName(turn.errorCode)}`)}</Text>
        {turn.errorCode && (
          <Text size="xs" c="dimmed" mt={4} component="div">
            {t('code')} <Code className="panel-user-text">{turn.errorCode}</Code>
          </Text>
        )}
        {!turn.request && <RequestId id={turn.requestId} />}
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

function Reply({ turn, whole, exact }: ResultProps) {
  const { t } = useTranslation('conversations')
  return (
    <SentText
      text={turn.reply ?? ''}
      name={t('reply')}
      blockLabel={t('block')}
      json={turn.output != null}
      box={classes.reply}
      whole={whole}
      exact={exact}
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

/** Which version answered; the draft in Try and in tests has none. */
function Version({ turn: { version, source }, agent }: Pick<Props, 'turn' | 'agent'>) {
  const { t } = useTranslation('conversations')
  if (version == null) return source !== 'API' ? <span>{t('draft')}</span> : null
  return (
    <AppLink to="/agents/$id/versions" params={{ id: agent.id }} search={{ open: version }} inherit>
      {t('versionNumber', { number: version })}
    </AppLink>
  )
}
