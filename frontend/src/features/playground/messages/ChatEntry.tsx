import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  ActionCalls,
  type Result as ActionResult,
  ActionResults,
  type CallState,
  ResultsForm,
} from '@/features/conversations'
import { faultId, hasCode } from '@/shared/gql'
import { SentText } from '@/shared/markdown'
import { errorText, RequestId } from '@/shared/ui'
import classes from '../Playground.module.css'
import { Bubble } from './Bubble'
import { CreditsHelp } from './CreditNotice'
import { callsOf, type Entry, failureName, isUnknown, mayRetry, type Outcome } from './entries'
import { Reply } from './Reply'
import { UnderWay } from './UnderWay'

type Props = {
  entry: Entry
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
export function ChatEntry({ entry, onRetry, onAgain, ...acting }: Props) {
  const { t } = useTranslation('playground')
  return (
    <Stack gap={8} component="article" aria-label={t('entry')}>
      {entry.results ? (
        <ActionResults results={entry.results} box={`${classes.bubble} ${classes.asked}`} />
      ) : (
        <Bubble text={entry.message} asked />
      )}
      <Result entry={entry} onRetry={onRetry} onAgain={entry.results ? undefined : onAgain} />
      <Actions entry={entry} {...acting} />
    </Stack>
  )
}

/** The actions that a reply asks for, and the form that answers those that are open. */
export function Actions({ entry, callState, ready, onResults }: { entry: Entry } & Acting) {
  const calls = callsOf(entry)
  const form = callState === 'OPEN' ? <ResultsForm calls={calls} ready={ready} onSend={onResults} /> : undefined
  return <ActionCalls calls={calls} state={callState} form={form} />
}

type ResultProps = Pick<Props, 'entry' | 'onRetry' | 'onAgain'> & {
  /** In a comparison: the same message on the other side, if it has got there. */
  beside?: Entry | null
}

/** The outcome of a message. */
export function Result({ entry, beside, onRetry, onAgain }: ResultProps) {
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
    const other = beside?.outcome.kind === 'turn' ? beside.outcome.turn : undefined
    return <Reply turn={outcome.turn} compared={beside !== undefined} other={other} onAgain={onAgain} />
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
    <FailureAlert title={outcome.part ? t('cutOff') : t('notAnswered')} requestId={faultId(error)} onRetry={onRetry}>
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
