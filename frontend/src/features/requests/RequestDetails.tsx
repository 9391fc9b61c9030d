import { Alert, Code, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '@/shared/time'
import { AppLink, ButtonLink, CopyButton, Credits } from '@/shared/ui'
import { fixOf } from './failures'
import { OutcomeBadge } from './OutcomeBadge'
import type { Request } from './queries'
import classes from './Requests.module.css'
import { TimingBar } from './TimingBar'

/** What became of one request: what was wrong and what to change, where the time went, and what it belongs to. */
export function RequestDetails({ request }: { request: Request }) {
  const { t } = useTranslation('requests')
  return (
    <Stack gap="lg">
      <Group gap="xs">
        <OutcomeBadge outcome={request.outcome} />
        <Code>{[request.status, request.code].filter(Boolean).join(' ')}</Code>
        {request.replayed && (
          <Text size="sm" c="dimmed">
            {t('replayed')}
          </Text>
        )}
      </Group>
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
        </Alert>
      )}
      <TimingBar request={request} />
      <Facts request={request} />
      {request.conversation && (
        <ButtonLink to="/conversations/$id" params={{ id: request.conversation.id }} variant="default" w="fit-content">
          {t('transcript')}
        </ButtonLink>
      )}
    </Stack>
  )
}

function Facts({ request }: { request: Request }) {
  const { t } = useTranslation('requests')
  return (
    <dl className={`${classes.facts} panel-facts`}>
      <Fact name={t('requestId')}>
        <Group gap={4} wrap="nowrap">
          <Code className="panel-user-text">{request.requestId}</Code>
          <CopyButton iconOnly value={request.requestId} label={t('copyId')} />
        </Group>
      </Fact>
      <Fact name={t('time')}>{formatDateTime(request.at)}</Fact>
      {request.agent && (
        <Fact name={t('agent')}>
          <AppLink to="/agents/$id" params={{ id: request.agent.id }} inherit className="panel-user-text">
            {request.agent.name}
          </AppLink>
        </Fact>
      )}
      {request.export && (
        <Fact name={t('export')}>
          <AppLink to="/exports/$id" params={{ id: request.export.id }} inherit className="panel-user-text">
            {request.export.name}
          </AppLink>
        </Fact>
      )}
      {request.keyHint && (
        <Fact name={t('key')}>
          <Code>{request.keyHint}</Code>
        </Fact>
      )}
      {request.sessionId && <Fact name={t('sessionId')}>{request.sessionId}</Fact>}
      {request.userId && <Fact name={t('userId')}>{request.userId}</Fact>}
      {request.model && <Fact name={t('model')}>{request.model}</Fact>}
      <Fact name={t('answer')}>{t(request.streamed ? 'stream' : 'whole')}</Fact>
      {request.clientAddress && <Fact name={t('address')}>{request.clientAddress}</Fact>}
      <Fact name={t('credits')}>
        <Credits value={request.credits} bare />
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
