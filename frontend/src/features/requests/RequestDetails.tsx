import { Alert, Badge, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionCalls, ActionResults, CitedSources, TurnMessage, TurnReply } from '@/features/conversations'
import { formatDuration } from '@/shared/format'
import { withFragment } from '@/shared/gql'
import { CutOff, SentText } from '@/shared/markdown'
import { formatDateTime } from '@/shared/time'
import { AppLink, ButtonLink, Missing, QueryView, ShortId } from '@/shared/ui'
import { fixOf } from './failures'
import { OpenInTry, Similar } from './NextSteps'
import { Status } from './OutcomeBadge'
import { type Request, requestQuery } from './queries'
import classes from './Requests.module.css'
import { TimingBar } from './TimingBar'

/** The outcome of one request: its error with a fix, its texts, its timing, and the objects that it belongs to. */
export function RequestDetails({ id }: { id: string }) {
  const { t } = useTranslation('requests')
  const query = useQuery(requestQuery(id))
  const back = (
    <ButtonLink to="." search={(old) => ({ ...old, id: undefined })} variant="default">
      {t('notFound.all')}
    </ButtonLink>
  )
  return (
    <QueryView query={query} missing={<Missing title={t('notFound.title')} back={back} />}>
      {({ request }) => <Details key={request.id} request={request} />}
    </QueryView>
  )
}

function Details({ request }: { request: Request }) {
  const { t } = useTranslation('requests')
  return (
    <Stack gap="md">
      <div>
        <Text fw={600} component="div">
          <Status request={request} /> {request.background && <Badge color="gray">{t('background')}</Badge>}
        </Text>
        <Text size="sm" c="dimmed" className="panel-numbers">
          {[
            formatDateTime(request.at),
            request.durationMs != null && formatDuration(request.durationMs),
            t('cost', { count: request.credits, amount: request.credits }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        {request.replayed && (
          <Text size="sm" c="dimmed">
            {t('replayed')}
          </Text>
        )}
      </div>
      {request.code && (
        <Alert color={request.outcome === 'REFUSED' ? 'yellow' : 'red'} title={t('wrong')}>
          {request.detail && (
            <Text size="md" className="panel-user-text">
              {request.detail}
            </Text>
          )}
          <Text size="md" mt={request.detail ? 8 : 0}>
            {t(`fix.${fixOf(request.code)}`)}
          </Text>
          <Similar request={request} />
        </Alert>
      )}
      <ProviderResponse request={request} />
      <Texts request={request} />
      <OpenInTry request={request} />
      <TimingBar request={request} />
      <Facts request={request} />
    </Stack>
  )
}

/** The statuses with which a provider refuses the message: the service passes on what it says. */
const aboutTheMessage = [400, 413, 422]

/** What the model's provider said about the message that it refused. */
function ProviderResponse({ request: { turn, code: errorCode, model } }: { request: Request }) {
  const { t } = useTranslation('requests')
  if (!turn?.providerError) return null
  const { status, code, message } = turn.providerError
  const toBeShown =
    errorCode === 'content_blocked' ||
    (errorCode !== 'model_unavailable' && status != null && aboutTheMessage.includes(status))
  return (
    <section>
      <h3 className={classes.part}>{t('provider.title')}</h3>
      <Text size="sm">
        {t('provider.status', {
          provider: model?.split('/')[0],
          status: [status, code].filter((part) => part != null).join(' '),
        })}
      </Text>
      {message ? (
        <Text size="md" className="panel-user-text">
          {message}
        </Text>
      ) : (
        <Text size="sm" c="dimmed">
          {t(toBeShown ? 'provider.none' : 'provider.hidden')}
        </Text>
      )}
    </section>
  )
}

/** The message and the reply, or why they are missing. */
function Texts({ request: { turn: node, outcome, agent } }: { request: Request }) {
  const { t } = useTranslation('requests')
  const turn = node && withFragment(TurnReply, withFragment(TurnMessage, node))
  if (!turn) return <Text c="dimmed">{t(outcome === 'REFUSED' ? 'noTextKept' : 'textDeleted')}</Text>
  return (
    <>
      {turn.actionResults.length > 0 ? (
        <ActionResults results={turn.actionResults} />
      ) : (
        <section>
          <h3 className={classes.part}>{t('message')}</h3>
          <SentText text={turn.message} name={t('message')} box={classes.text} />
        </section>
      )}
      <section>
        <h3 className={classes.part}>{t('reply')}</h3>
        {turn.reply == null ? (
          <>
            <Text c="dimmed">{t('noReply')}</Text>
            {turn.misfit != null && (
              <>
                <h3 className={classes.part}>{t('misfit')}</h3>
                <SentText text={turn.misfit} name={t('misfit')} box={classes.text} />
              </>
            )}
          </>
        ) : (
          (turn.reply !== '' || turn.actionCalls.length === 0) && (
            <SentText
              text={turn.reply}
              name={t('reply')}
              blockLabel={t('block')}
              json={turn.output != null}
              box={classes.text}
            >
              <CutOff finishReason={turn.finishReason} size="sm" />
            </SentText>
          )
        )}
        <ActionCalls calls={turn.actionCalls} />
        {agent && <CitedSources sources={turn.sources} agentId={agent.id} />}
      </section>
    </>
  )
}

function Facts({ request }: { request: Request }) {
  const { t } = useTranslation('requests')
  const { agent, conversation, turn } = request
  return (
    <dl className={`${classes.facts} panel-facts`}>
      {conversation && (
        <Fact name={t('conversation')}>
          <AppLink
            to="/activity/conversations/$id"
            params={{ id: conversation.id }}
            search={{ turn: turn?.number }}
            inherit
            className="panel-user-text"
          >
            {turn ? t('turnOf', { session: conversation.sessionId, number: turn.number }) : conversation.sessionId}
          </AppLink>
        </Fact>
      )}
      {!conversation && request.sessionId && <Fact name={t('session')}>{request.sessionId}</Fact>}
      {request.userId != null && (
        <Fact name={t('person')}>
          <AppLink
            to="/activity/people/person"
            search={{ id: request.userId }}
            inherit
            translate="no"
            className="panel-user-text"
          >
            {request.userId}
          </AppLink>
        </Fact>
      )}
      {agent && (
        <Fact name={t('agent')}>
          <AppLink to="/agents/$id" params={{ id: agent.id }} inherit className="panel-user-text">
            {agent.name}
          </AppLink>
          {turn?.version != null && (
            <>
              {', '}
              <AppLink to="/agents/$id/versions" params={{ id: agent.id }} search={{ open: turn.version }} inherit>
                {t('version', { number: turn.version })}
              </AppLink>
            </>
          )}
        </Fact>
      )}
      {request.export && (
        <Fact name={t('export')}>
          <AppLink to="/exports/$id" params={{ id: request.export.id }} inherit className="panel-user-text">
            {request.export.name}
          </AppLink>
        </Fact>
      )}
      {request.model && <Fact name={t('model')}>{request.model}</Fact>}
      <Fact name={t('answer')}>{t(request.streamed ? 'stream' : 'whole')}</Fact>
      {request.clientAddress && <Fact name={t('address')}>{request.clientAddress}</Fact>}
      <Fact name={t('requestId')}>
        <ShortId id={request.requestId} copy={t('copyId')} />
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="panel-user-text">{children}</dd>
    </>
  )
}
