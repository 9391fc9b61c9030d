import { Box, Group, Paper, SegmentedControl, Title } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { followFirstPage } from '@/shared/gql'
import { EmptyState, QueryView, ShowMore, TableShape } from '@/shared/ui'
import type { Webhook } from '../queries'
import { DeliveriesTable } from './DeliveriesTable'
import { deliveriesOf, deliveriesQuery } from './queries'

const route = getRouteApi('/_app/settings/webhooks')

/** The events for a webhook. New ones appear while only the first page is shown. A row opens what is posted. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const { failed, delivery } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery({
    ...deliveriesQuery(webhook.id, failed),
    placeholderData: keepPreviousData,
    refetchInterval: followFirstPage,
  })
  return (
    <>
      <Group justify="space-between" gap="sm">
        <Title order={2}>{t('deliveries')}</Title>
        <SegmentedControl
          aria-label={t('deliveries')}
          data={[
            { value: '', label: t('allDeliveries') },
            { value: 'failed', label: t('failed') },
          ]}
          value={failed ? 'failed' : ''}
          onChange={(value) =>
            void navigate({ search: (old) => ({ ...old, failed: value ? true : undefined }), resetScroll: false })
          }
        />
      </Group>
      <QueryView query={query} loading={<TableShape rows={5} />}>
        {({ pages }) => {
          const deliveries = pages.flatMap((page) => deliveriesOf(page).nodes)
          if (deliveries.length === 0) {
            return (
              <Paper>
                <EmptyState title={t(failed ? 'noFailed' : 'noDeliveries')} />
              </Paper>
            )
          }
          return (
            <ShowMore query={query}>
              <Box aria-busy={query.isPlaceholderData} opacity={query.isPlaceholderData ? 0.6 : undefined}>
                <DeliveriesTable webhook={webhook} deliveries={deliveries} open={delivery} />
              </Box>
            </ShowMore>
          )
        }}
      </QueryView>
    </>
  )
}
