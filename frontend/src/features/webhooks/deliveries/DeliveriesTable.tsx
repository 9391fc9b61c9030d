import { Paper } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Table, TableScroll } from '@/shared/ui'
import type { Webhook } from '../queries'
import { DeliveryRow } from './DeliveryRow'
import type { Delivery } from './queries'

type Props = { webhook: Webhook; deliveries: Delivery[]; open: string | undefined }

export function DeliveriesTable({ webhook, deliveries, open }: Props) {
  const { t } = useTranslation('webhooks')
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <TableScroll label={t('deliveries')}>
        <Table highlightOnHover miw={680} horizontalSpacing="sm" className="panel-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('column.event')}</Table.Th>
              <Table.Th w={112}>{t('column.sent')}</Table.Th>
              <Table.Th w={176}>{t('column.status')}</Table.Th>
              <Table.Th w={72} ta="right">
                {t('column.time')}
              </Table.Th>
              <Table.Th w={120}>{t('column.next')}</Table.Th>
              <Table.Th w={88} aria-label={t('column.actions')} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {deliveries.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                on={webhook.state === 'ON'}
                open={open === delivery.id}
              />
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Paper>
  )
}
