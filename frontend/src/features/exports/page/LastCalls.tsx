import { Code, Group, Paper, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { OutcomeBadge } from '@/features/requests'
import { formatDuration } from '@/shared/format'
import { followMs } from '@/shared/gql'
import { formatSecond } from '@/shared/time'
import { AppLink, Credits, QueryView, RowLink, Table, TableScroll, TableShape } from '@/shared/ui'
import { exportCallsQuery } from './queries'

/** The latest requests of an export. A row opens the request. */
export function LastCalls({ id }: { id: string }) {
  const { t } = useTranslation('exports')
  const query = useQuery({ ...exportCallsQuery(id), refetchInterval: followMs })
  return (
    <div>
      <Group justify="space-between" gap="xs" mb="xs" mih={32}>
        <Title order={2}>{t('lastCalls')}</Title>
        <AppLink to="/activity/requests" search={{ exportId: id }} fz="sm">
          {t('allRequests')}
        </AppLink>
      </Group>
      <Paper style={{ overflow: 'hidden' }}>
        <QueryView query={query} loading={<TableShape bare />}>
          {({
            viewer: {
              requests: { nodes },
            },
          }) =>
            nodes.length === 0 ? (
              <Text c="dimmed" p="md">
                {t('noCalls')}
              </Text>
            ) : (
              <TableScroll label={t('lastCalls')}>
                <Table highlightOnHover miw={400} className="panel-table panel-numbers">
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{t('time')}</Table.Th>
                      <Table.Th>{t('outcome')}</Table.Th>
                      <Table.Th ta="right">{t('took')}</Table.Th>
                      <Table.Th ta="right">{t('creditsHead')}</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {nodes.map((call) => (
                      <Table.Tr key={call.id} className="panel-row">
                        <Table.Td data-at="title" style={{ whiteSpace: 'nowrap' }}>
                          <RowLink to="/activity/requests" search={{ exportId: id, id: call.id }} fz="sm" fw={400}>
                            {formatSecond(call.at)}
                          </RowLink>
                        </Table.Td>
                        <Table.Td data-at="sub">
                          <OutcomeBadge outcome={call.outcome} />
                          {call.code && (
                            <Text size="xs" c="dimmed" component="div" mt={4} className="panel-user-text">
                              <Code fz="xs">{`${call.status} ${call.code}`}</Code>
                            </Text>
                          )}
                        </Table.Td>
                        <Table.Td data-at="end" ta="right">
                          {call.durationMs != null && formatDuration(call.durationMs)}
                        </Table.Td>
                        <Table.Td data-at="sub-end" ta="right">
                          <Credits value={call.credits} bare />
                          <span className="panel-unit" data-unit={t('creditsUnit', { count: call.credits })} />
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </TableScroll>
            )
          }
        </QueryView>
      </Paper>
    </div>
  )
}
