import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { graphql } from '@/gql'
import { formatNumber } from '@/shared/format'
import { followSlowly, gqlQuery } from '@/shared/gql'
import { SentText } from '@/shared/markdown'
import { formatDateTime } from '@/shared/time'
import { QueryView, ShortId } from '@/shared/ui'

const WebhookDeliveryDocument = graphql(`
  query WebhookDelivery($id: ID!) {
    node(id: $id) {
      __typename
      ... on WebhookDelivery {
        id
        body
        createdAt
        tries
      }
    }
  }
`)

/** The JSON that is posted, with its ID and the time of its event. */
export function DeliveryDetails({ id }: { id: string }) {
  const { t } = useTranslation('webhooks')
  const query = useQuery({
    ...gqlQuery('webhookDelivery', WebhookDeliveryDocument, { id }),
    refetchInterval: followSlowly,
  })
  return (
    <QueryView query={query}>
      {({ node }) =>
        node.__typename === 'WebhookDelivery' ? (
          <Stack gap="sm">
            <dl className="panel-facts">
              <dt>{t('happened')}</dt>
              <dd>{formatDateTime(node.createdAt)}</dd>
              <dt>{t('attempts')}</dt>
              <dd>{formatNumber(node.tries)}</dd>
              <dt>{t('id')}</dt>
              <dd>
                <ShortId id={node.id} copy={t('copyId')} />
              </dd>
            </dl>
            <SentText text={node.body} name={t('body')} json box="panel-code" />
          </Stack>
        ) : (
          <Text>{t('gone')}</Text>
        )
      }
    </QueryView>
  )
}
