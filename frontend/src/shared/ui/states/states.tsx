import { Alert, Button, Center, Group, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { faultId, hasCode } from '@/shared/gql'
import { errorText } from './errorText'
import { RequestId } from './RequestId'
import { LinesShape } from './shapes'

/** Shown in place of content that could not be loaded: the error, Retry or Reload, and the request ID of a fault. */
export function ErrorState({
  error,
  onRetry,
  retrying = false,
  reload = false,
}: {
  error: unknown
  onRetry?: () => void
  retrying?: boolean
  /** Whether to offer to reload the page: browsers may remember that a file of the panel could not be fetched. */
  reload?: boolean
}) {
  const { t } = useTranslation()
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title={hasCode(error, 'NOT_FOUND') ? undefined : t('error.loadTitle')}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="md">{errorText(error)}</Text>
        {onRetry && (
          <Button variant="default" onClick={onRetry} loading={retrying}>
            {t('error.retry')}
          </Button>
        )}
        {reload && (
          <Button variant="default" onClick={() => window.location.reload()}>
            {t('reload', { ns: 'shell' })}
          </Button>
        )}
        <RequestId id={faultId(error)} />
      </Stack>
    </Alert>
  )
}

/** Shown when there is nothing yet: what belongs here, and how to create it. */
export function EmptyState({
  icon,
  title,
  order = 2,
  text,
  action,
}: {
  icon?: ReactNode
  title: string
  /** The level of the heading. */
  order?: 1 | 2
  text?: ReactNode
  action?: ReactNode
}) {
  return (
    <Center py={48} px="md">
      <Stack gap="xs" align="center" maw={420} ta="center">
        {icon && <Text c="dimmed">{icon}</Text>}
        <Title order={order}>{title}</Title>
        {text && <Text c="dimmed">{text}</Text>}
        {action && (
          <Group justify="center" mt="xs">
            {action}
          </Group>
        )}
      </Stack>
    </Center>
  )
}

/** Shown for an object that does not exist, with the way back to its list unless the page has it. */
export function Missing({ back, ...heading }: { title: string; order?: 1; back?: ReactNode }) {
  const { t } = useTranslation()
  return <EmptyState {...heading} text={t('error.none')} action={back} />
}

/** The shape of what loads; lines of text by default. It appears after 150 ms. */
export function LoadingState({ children = <LinesShape /> }: { children?: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Stack gap="md" className="panel-late" role="status" aria-label={t('loading')}>
      {children}
    </Stack>
  )
}
