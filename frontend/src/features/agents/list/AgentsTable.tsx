import { Group, Paper, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { RelativeTime } from '@/shared/time'
import {
  AgentMark,
  AppLink,
  ChooseAll,
  ChooseRow,
  type Chosen,
  Credits,
  RowLink,
  type Sort,
  SortHead,
  Success,
  Table,
  TableScroll,
} from '@/shared/ui'
import type { ListedAgent } from '../queries'
import { StateBadge } from '../StateBadge'
import { type AllFigures, type Figures, figuresOf } from './figures'
import type { Column } from './order'

type Props = {
  agents: ListedAgent[]
  /** Undefined until they have come. */
  figures: AllFigures | undefined
  /** Which are chosen, where something can be done to them. */
  chosen: Chosen | undefined
  sort: Sort<Column>
  onSort: (next: Sort<Column>) => void
}

/** Agents, one a row, with what they do. A row leads to the agent. */
export function AgentsTable({ agents, figures, chosen, sort, onSort }: Props) {
  const { t } = useTranslation('agents')
  const head = (column: Column) => ({ column, sort, onSort, children: t(`column.${column}`) })
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <TableScroll label={t('title')}>
        <Table
          highlightOnHover
          className="panel-table"
          columns={[
            chosen && 40,
            { min: 200 },
            110,
            { width: 140, wide: true },
            64,
            80,
            72,
            124,
            { width: 96, wide: true },
          ]}
        >
          <Table.Thead>
            <Table.Tr>
              {chosen && <ChooseAll chosen={chosen} rowSpan={2} />}
              <SortHead {...head('name')} rowSpan={2} />
              <Table.Th rowSpan={2}>{t('state')}</Table.Th>
              <Table.Th rowSpan={2}>{t('model')}</Table.Th>
              <Table.Th rowSpan={2} ta="right">
                {t('column.exports')}
              </Table.Th>
              <Table.Th colSpan={2} scope="colgroup" ta="right" h={20}>
                {t('group.day')}
              </Table.Th>
              <SortHead {...head('credits')} falling rowSpan={2} ta="right" />
              <SortHead {...head('used')} falling rowSpan={2} ta="right" visibleFrom="lg" />
            </Table.Tr>
            <Table.Tr>
              <SortHead {...head('messages')} falling ta="right" h={24} />
              {/* Who looks at success looks for the agent that fails. */}
              <SortHead {...head('success')} ta="right" h={24} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {agents.map((agent) => (
              <Row key={agent.id} agent={agent} figures={figuresOf(figures, agent.id)} chosen={chosen} />
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Paper>
  )
}

type RowProps = { agent: ListedAgent; figures: Figures | undefined; chosen: Chosen | undefined }

function Row({ agent, figures, chosen }: RowProps) {
  const { t } = useTranslation('agents')
  const { id, name, exports } = agent
  // As Success counts them: answered and failed ones.
  const messages = figures && figures.messages + figures.failed
  return (
    <Table.Tr className="panel-row" data-chosen={chosen?.has(id) || undefined}>
      {chosen && <ChooseRow chosen={chosen} id={id} name={name} />}
      <Table.Td data-at="title">
        <Group gap="sm" wrap="nowrap">
          <AgentMark name={name} />
          <div style={{ minWidth: 0 }}>
            <RowLink to="/agents/$id" params={{ id }} inherit lineClamp={2}>
              {name}
            </RowLink>
            {agent.description && (
              <Text size="xs" c="dimmed" lineClamp={1} className="panel-user-text" visibleFrom="sm">
                {agent.description}
              </Text>
            )}
          </div>
        </Group>
      </Table.Td>
      <Table.Td data-at="sub">
        <StateBadge agent={agent} short />
      </Table.Td>
      <Table.Td>
        <Text inherit truncate title={agent.model?.label} c={agent.model ? undefined : 'dimmed'}>
          {agent.model?.label ?? t('noModel')}
        </Text>
      </Table.Td>
      <Table.Td ta="right" className="panel-numbers">
        {exports.length > 0 ? (
          <AppLink
            to="/agents/$id/channels"
            params={{ id }}
            inherit
            className="panel-row-control"
            aria-label={t('exportsOf', { count: exports.length, name })}
          >
            {formatNumber(exports.length)}
          </AppLink>
        ) : (
          formatNumber(0)
        )}
      </Table.Td>
      <Table.Td data-at="end" ta="right" className="panel-numbers">
        {messages !== undefined && (
          <>
            {formatNumber(messages)}
            <span className="panel-unit" data-unit={t('messagesUnit', { count: messages })} />
          </>
        )}
      </Table.Td>
      <Table.Td data-at={messages ? 'sub-end' : undefined} ta="right">
        {figures && <Success {...figures} />}
      </Table.Td>
      <Table.Td ta="right">{figures && <Credits value={figures.credits} bare />}</Table.Td>
      <Table.Td ta="right">
        {/* Try uses no key, and a key's last use is stored seconds after its message. */}
        <RelativeTime time={agent.lastUsedAt} none={messages || figures?.credits ? '–' : undefined} short />
      </Table.Td>
    </Table.Tr>
  )
}
