import { Alert, Group, List, Loader, Paper, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refreshViewer } from '@/features/auth'
import { fixOf } from '@/features/requests'
import { formatDuration, formatNumber } from '@/shared/format'
import { SentText } from '@/shared/markdown'
import { formatDateTime } from '@/shared/time'
import { AppLink } from '@/shared/ui'
import classes from './code.module.css'
import { firstRequestOf, firstRequestQuery, type ReceivedRequest } from './queries'
import { endpoint } from './snippets/snippets'

/** Waits for the first answered request of an export, and shows it, or why the newest one was refused. */
export function FirstRequest({ exportId }: { exportId: string }) {
  const { t } = useTranslation(['calling', 'requests'])
  const queryClient = useQueryClient()
  const { data } = useQuery(firstRequestQuery(exportId))
  const request = data && firstRequestOf(data)
  const answered = request?.outcome === 'ANSWERED'
  // The lists of exports say when a key was last used.
  useEffect(() => {
    if (!answered) return
    void refreshViewer(queryClient)
    for (const key of ['agentExports', 'exports', 'export']) void queryClient.invalidateQueries({ queryKey: [key] })
  }, [answered, queryClient])
  return (
    <Stack gap="sm">
      <div role="status" style={{ display: 'contents' }}>
        {data && request && answered && <Answered request={request} left={data.viewer.creditsAvailable} />}
        {request && !answered && (
          <Received request={request} title={t('refused', { status: String(request.status), code: request.code })}>
            {request.detail && <Text className="panel-user-text">{request.detail}</Text>}
            {request.code && <Text>{t(`requests:fix.${fixOf(request.code)}`)}</Text>}
          </Received>
        )}
      </div>
      {request && answered ? (
        <Messages request={request} />
      ) : (
        <Waiting title={t(request ? 'waitingNext' : 'waiting')} />
      )}
    </Stack>
  )
}

function Answered({ request, left }: { request: ReceivedRequest; left: number }) {
  const { t } = useTranslation('calling')
  const { status, credits, at, durationMs } = request
  const time = formatDateTime(at)
  return (
    <Received
      request={request}
      title={t('received', { status: String(status), count: credits, amount: formatNumber(credits) })}
    >
      <Text className="panel-numbers">
        {durationMs == null ? time : t('receivedAt', { time, duration: formatDuration(durationMs) })}{' '}
        {t('left', { count: left, amount: formatNumber(left) })}
      </Text>
    </Received>
  )
}

/** The outcome of a request, with a link to it. */
function Received({ request, title, children }: { request: ReceivedRequest; title: string; children: ReactNode }) {
  const { t } = useTranslation('calling')
  const good = request.outcome === 'ANSWERED'
  const Icon = good ? IconCircleCheck : IconAlertCircle
  return (
    <Alert color={good ? 'green' : 'red'} icon={<Icon aria-hidden />} title={title} role="presentation">
      <Stack gap="xs">
        {children}
        <AppLink to="/activity/requests" search={{ id: request.id }} underline="always" w="fit-content">
          {t('seeRequest')}
        </AppLink>
      </Stack>
    </Alert>
  )
}

function Messages({ request: { turn } }: { request: ReceivedRequest }) {
  const { t } = useTranslation('calling')
  if (!turn) return null
  return (
    <Paper p="sm">
      <SentText text={turn.message} name={t('message')} box={classes.asked} asked />
      <SentText text={turn.reply ?? ''} name={t('reply')} blockLabel={t('reply')} box={classes.reply} />
    </Paper>
  )
}

/** Says that no request has arrived, and what may be wrong: a request with a wrong key has no account that could show it. */
function Waiting({ title }: { title: string }) {
  const { t } = useTranslation('calling')
  const [open, setOpen] = useState(false)
  const listId = useId()
  return (
    <Paper p="sm" className={classes.waiting}>
      <Group gap="sm" align="flex-start">
        <Loader size={16} mt={2} aria-hidden />
        <div style={{ flex: '1 1 170px', minWidth: 0 }}>
          <Text fw={500}>{title}</Text>
          <Text size="sm" c="dimmed">
            {t('waitingText')}
          </Text>
        </div>
        <UnstyledButton
          className={classes.nothing}
          aria-expanded={open}
          aria-controls={listId}
          onClick={() => setOpen(!open)}
        >
          {t('nothing')}
        </UnstyledButton>
      </Group>
      <List id={listId} hidden={!open} size="sm" spacing="xs" mt="xs" style={{ overflowWrap: 'anywhere' }}>
        <List.Item>{t('checks.key')}</List.Item>
        <List.Item>
          {t('checks.credits')}{' '}
          <AppLink to="/usage/credits" inherit underline="always">
            {t('toCredits')}
          </AppLink>
        </List.Item>
        <List.Item>{t('checks.address', { endpoint: endpoint() })}</List.Item>
      </List>
    </Paper>
  )
}
