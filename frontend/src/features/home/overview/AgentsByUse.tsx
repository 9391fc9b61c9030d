import { Group, Paper, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { AgentMark, AppLink, Credits, RowLink, Sparkline, Success, Table, TableScroll } from '@/shared/ui'
import classes from '../Home.module.css'
import type { HomeUsage } from '../usage'
import { type AgentUse, usedAgents } from './agentUse'
import { agentLines, labelsOf } from './lines'

type Props = { data: HomeUsage; others: readonly AgentUse['agent'][]; count: number }

/** The agents, most used first, then the unused ones. */
export function AgentsByUse({ data, others, count }: Props) {
  const { t } = useTranslation('home')
  const lines = agentLines(data)
  return (
    <div className={classes.column}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={2}>
          {t('agentsByUse')} <span className={classes.count}>{formatNumber(count)}</span>
        </Title>
        <AppLink to="/agents" fz="sm">
          {t('allAgents')}
        </AppLink>
      </Group>
      <Paper style={{ overflow: 'hidden' }}>
        <TableScroll label={t('agentsByUse')}>
          <Table highlightOnHover className="panel-table" columns={[{}, 88, 80, 72, 72]}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('agent')}</Table.Th>
                <Table.Th>{t(`range.${data.range}`)}</Table.Th>
                <Table.Th ta="right">{t('messages')}</Table.Th>
                <Table.Th ta="right">{t('successShort')}</Table.Th>
                <Table.Th ta="right">{t('available')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {usedAgents(data.usage.agents, others).map((use) => (
                <Row key={use.agent.id} use={use} line={lines.get(use.agent.id)} data={data} />
              ))}
            </Table.Tbody>
          </Table>
        </TableScroll>
      </Paper>
    </div>
  )
}

type RowProps = { use: AgentUse; data: HomeUsage; line: ReturnType<ReturnType<typeof agentLines>['get']> }

function Row({ use, line, data }: RowProps) {
  const { t } = useTranslation('home')
  const { agent, messages, failed, requests } = use
  return (
    <Table.Tr className="panel-row">
      <Table.Td data-at="title">
        <Group gap="sm" wrap="nowrap">
          <AgentMark name={agent.name} />
          <RowLink to="/agents/$id" params={{ id: agent.id }} inherit fw={600} lineClamp={2}>
            {agent.name}
          </RowLink>
        </Group>
      </Table.Td>
      <Table.Td>
        {requests > 0 && line ? (
          <span className="panel-row-control">
            <Sparkline now={line.now} labels={labelsOf(data, line.counts.map(formatNumber))} width={72} height={20} />
          </span>
        ) : (
          <Text inherit c="dimmed">
            {t(messages > 0 ? 'testsOnly' : 'noUse')}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-at="end" ta="right" className="panel-numbers">
        {formatNumber(messages)}
        <span className="panel-unit" data-unit={t('messagesUnit', { count: messages })} />
      </Table.Td>
      <Table.Td data-at={messages > 0 ? 'sub-end' : undefined} ta="right">
        <Success messages={messages - failed} failed={failed} />
      </Table.Td>
      <Table.Td data-at="sub" ta={{ base: 'left', sm: 'right' }}>
        <Credits value={use.credits} bare />
        <span className="panel-unit" data-unit={t('creditsUnit', { count: use.credits })} />
      </Table.Td>
    </Table.Tr>
  )
}
