import { Alert, Badge, Button, Stack, Text } from '@mantine/core'
import { IconRefresh, IconTerminal2 } from '@tabler/icons-react'
import { memo, type ReactNode, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Agent } from '@/features/agents'
import {
  ActionCalls,
  type Result as ActionResult,
  ActionResults,
  type CallState,
  CitedSources,
  ModelSaw,
  ResultsForm,
} from '@/features/conversations'
import { hasCode } from '@/shared/gql'
import { CutOff, SentText } from '@/shared/markdown'
import { errorText, part, RequestId } from '@/shared/ui'
import classes from '../Playground.module.css'
import type { SentTurn } from '../queries'
import { CreditsHelp } from './CreditNotice'
import { callsOf, type Entry, failureName, isUnknown, mayRetry, type Outcome } from './entries'
import { Figures } from './Figures'
import { UnderWay } from './UnderWay'

const SameCall = part(async () => ({ default: (await import('@/features/developers')).SameCall }))

type Props = {
  entry: Entry
  agent: Agent
  sessionId: string
  /** Missing while another message is in progress. */
  onRetry?: () => void
  /** Asks the same again; missing unless this is the last message. */
  onAgain?: () => void
} & Acting

/** The state of the actions that a reply asks for, and how to answer them. */
export type Acting = {
  callState?: CallState
  /** Whether their results can be sent now. */
  ready: boolean
  onResults: (results: ActionResult[]) => void
}

/** One message and its outcome. */
export function ChatEntry({ entry, agent, sessionId, onRetry, onAgain, ...acting }: Props) {
  const { t } = useTranslation('playground')
  return (
    <Stack gap={8} component="article" aria-label={t('entry')}>
      {entry.results ? (
        <ActionResults results={entry.results} box={`${classes.bubble} ${classes.asked}`} />
      ) : (
        <Asked entry={entry} agent={agent} sessionId={sessionId} />
      )}
      <Result entry={entry} onRetry={onRetry} />
      <Actions entry={entry} {...acting} />
      {onAgain && !entry.results && entry.outcome.kind === 'turn' && entry.outcome.turn.state === 'ANSWERED' && (
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          w="fit-content"
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={onAgain}
        >
          {t('askAgain')}
        </Button>
      )}
    </Stack>
  )
}

/** The actions that a reply asks for, and the form that answers those that are open. */
export function Actions({ entry, callState, ready, onResults }: { entry: Entry } & Acting) {
  const calls = callsOf(entry)
  const form = callState === 'OPEN' ? <ResultsForm calls={calls} ready={ready} onSend={onResults} /> : undefined
  return <ActionCalls calls={calls} state={callState} form={form} />
}

/** A message, and on demand the call that sends it. */
export function Asked({ entry, agent, sessionId }: Pick<Props, 'entry' | 'agent' | 'sessionId'>) {
  const { t } = useTranslation('playground')
  const id = useId()
  const [asCurl, setAsCurl] = useState(false)
  const { message, userId, variables } = entry
  return (
    <>
      <SentText
        text={message}
        name={t('you')}
        box={`${classes.bubble} ${classes.asked}`}
        asked
        whole
        actions={
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<IconTerminal2 size={14} aria-hidden />}
            aria-expanded={asCurl}
            aria-controls={asCurl ? id : undefined}
            onClick={() => setAsCurl(!asCurl)}
          >
            {t('asCurl')}
          </Button>
        }
      />
      {asCurl && (
        <section id={id} aria-label={t('asCurl')}>
          <Suspense fallback={null}>
            <SameCall
              said={{ message, sessionId, userId, variables }}
              agentId={agent.id}
              live={agent.state === 'LIVE'}
            />
          </Suspense>
        </section>
      )}
    </>
  )
}

/** The outcome of a message. In a comparison, `beside` is the same message on the other side. */
export function Result({ entry, beside, onRetry }: { entry: Entry; beside?: Entry; onRetry?: () => void }) {
  const { outcome } = entry
  if (outcome.kind === 'waiting') {
    return (
      <Stack gap={8}>
        {entry.kept && outcome.phase === 'asked' && <Part text={entry.kept} />}
        <UnderWay outcome={outcome} />
      </Stack>
    )
  }
  if (outcome.kind === 'turn' && outcome.turn.state === 'ANSWERED') {
    const { turn } = outcome
    return <Reply turn={turn} other={beside?.outcome.kind === 'turn' ? beside.outcome.turn : undefined} />
  }
  return (
    <Stack gap={8}>
      {outcome.part && <Part text={outcome.part} />}
      <Failure outcome={outcome} onRetry={mayRetry(entry) ? onRetry : undefined} />
      {outcome.kind === 'turn' && outcome.turn.misfit != null && <Misfit text={outcome.turn.misfit} />}
    </Stack>
  )
}

/** Why there is no complete reply, and what it cost. */
function Failure({ outcome, onRetry }: { outcome: Exclude<Outcome, { kind: 'waiting' }>; onRetry?: () => void }) {
  const { t } = useTranslation('playground')
  if (outcome.kind === 'stopped') {
    return (
      <FailureAlert title={t('stopped')} color="gray" onRetry={onRetry}>
        {outcome.absent ? t('notTakenIn') : t('unknownText')}
      </FailureAlert>
    )
  }
  if (outcome.kind === 'turn') {
    const { turn } = outcome
    if (turn.state === 'PENDING') {
      return (
        <FailureAlert title={t('pending')} onRetry={onRetry}>
          {t('unknownText')}
        </FailureAlert>
      )
    }
    const name = failureName(turn.errorCode)
    return (
      <FailureAlert
        title={t(`failure.${name}`)}
        color={name === 'stopped' ? 'gray' : 'red'}
        requestId={name === 'stopped' ? undefined : turn.requestId}
        onRetry={onRetry}
      >
        {t('notCharged')}
        {outcome.part && ` ${t('partNotKept')}`}
      </FailureAlert>
    )
  }
  const { error } = outcome
  return (
    <FailureAlert title={outcome.part ? t('cutOff') : t('notAnswered')} requestId={error.requestId} onRetry={onRetry}>
      {errorText(error)}
      {isUnknown(outcome) && ` ${outcome.part ? t('cutOffText') : t('unknownText')}`}
      {outcome.part && !isUnknown(outcome) && ` ${t('partNotKept')}`}
      {hasCode(error, 'INSUFFICIENT_CREDITS') && <CreditsHelp />}
    </FailureAlert>
  )
}

/** The reply that did not fit the reply schema. */
function Misfit({ text }: { text: string }) {
  const { t } = useTranslation('playground')
  return (
    <div>
      <Text size="xs" c="dimmed">
        {t('misfit')}
      </Text>
      <SentText text={text} name={t('misfit')} box={classes.bubble} />
    </div>
  )
}

/** The part of a reply that was received. */
function Part({ text }: { text: string }) {
  const { t } = useTranslation('playground')
  return <SentText text={text} name={t('agent')} box={classes.bubble} whole />
}

/** Memoized: parsing Markdown is slow, and other messages change state. */
const Reply = memo(function Reply({ turn, other }: { turn: SentTurn; other?: SentTurn }) {
  const { t } = useTranslation('playground')
  return (
    <div>
      {(turn.reply !== '' || turn.actionCalls.length === 0) && (
        <SentText
          text={turn.reply ?? ''}
          name={t('agent')}
          blockLabel={t('block')}
          json={turn.output != null}
          box={classes.bubble}
          whole
        />
      )}
      {turn.output != null && (
        <Text size="xs" c="var(--ok)">
          {t('fits')}
        </Text>
      )}
      {turn.finishReason === 'stopped' && (
        <Badge variant="light" color="gray" mt={4} mr={8}>
          {t('stoppedMark')}
        </Badge>
      )}
      <CutOff finishReason={turn.finishReason} size="xs" />
      <CitedSources sources={turn.sources} />
      <ModelSaw turnId={turn.id} before={<Figures turn={turn} other={other} />} />
    </div>
  )
})

/** A message without a reply: why, the cost, and Retry. */
function FailureAlert({
  title,
  color = 'red',
  requestId,
  onRetry,
  children,
}: {
  title: string
  color?: string
  requestId?: string
  onRetry?: () => void
  children: ReactNode
}) {
  const { t } = useTranslation('playground')
  return (
    <Alert color={color} title={title} className="panel-user-text">
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
