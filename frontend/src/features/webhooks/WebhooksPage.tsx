import { Paper, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { May } from '@/features/auth'
import { SettingsFrame } from '@/features/settings'
import { QueryView, TableShape } from '@/shared/ui'
import { webhooksQuery } from './queries'
import { WebhookDetails } from './WebhookDetails'
import { WebhookList } from './WebhookList'

const route = getRouteApi('/_app/settings/webhooks')

/** The account's webhooks, or the open one with its deliveries. */
export function WebhooksPage() {
  const { t } = useTranslation('webhooks')
  return (
    <SettingsFrame title={t('title')}>
      <May least="EDITOR" otherwise={<Note text={t('editorsOnly')} />}>
        <Webhooks />
      </May>
    </SettingsFrame>
  )
}

function Webhooks() {
  const { t } = useTranslation('webhooks')
  const { id } = route.useSearch()
  const query = useQuery(webhooksQuery)
  return (
    <QueryView query={query} loading={<TableShape rows={4} />}>
      {({ serviceInfo, viewer: { webhooks } }) => {
        if (!serviceInfo.ownerWebhooks) return <Note text={t('unavailable')} />
        if (!id) return <WebhookList webhooks={webhooks ?? []} />
        return <WebhookDetails key={id} webhook={webhooks?.find((webhook) => webhook.id === id)} />
      }}
    </QueryView>
  )
}

function Note({ text }: { text: string }) {
  return (
    <Paper p="md">
      <Text>{text}</Text>
    </Paper>
  )
}
