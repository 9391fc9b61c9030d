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
import type { Figures, FiguresOf } from './figures'
import { type Column, columns, falling } from './order'

type Props = {
  agents: ListedAgent[]
  /** Undefined until they have come. */
  figures: FiguresOf | undefined
  /** Which are chosen, where something can be done to them. */
  chosen: Chosen | undefined
  sort: Sort<Column>
  onSort: (next: Sort<Column>) => void
}

/** Left out where there is no room for all. */
const roomy: readonly Column[] = ['model', 'used']

/** Agents, one a row, with what they do. A row leads to the agent. */
export function AgentsTable({ agents, figures, chosen, sort, onSort }: Props) {
  const { t } = useTranslation('agents')
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <TableScroll label={t('title')}>
        <Table highlightOnHover miw={760} horizontalSpacing="xs" className="panel-table">
          <Table.Thead>
            <Table.Tr>
              {chosen && <ChooseAll chosen={chosen} />}
              {columns.map((column) => (
                <SortHead
                  key={column}
                  column={column}
                  sort={sort}
                  onSort={onSort}
                  // Who looks at success looks for the agent that fails.
                  falling={falling.includes(column) && column !== 'success'}
                  w={column === 'name' ? '30%' : undefined}
                  visibleFrom={roomy.includes(column) ? 'lg' : undefined}
                  ta={falling.includes(column) ? 'right' : undefined}
                >
                  {t(`column.${column}`)}
                </SortHead>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {agents.map((agent) => (
              <Row key={agent.id} agent={agent} figures={figures?.(agent.id)} chosen={chosen} />
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
  return (
    <Table.Tr className="panel-row" data-chosen={chosen?.has(id) || undefined}>
      {chosen && <ChooseRow chosen={chosen} id={id} name={name} />}
      <Table.Td data-at="title">
        <Group gap="sm" wrap="nowrap">
          <AgentMark name={name} />
          <div style={{ minWidth: 120 }}>
            <RowLink to="/agents/$id" params={{ id }} lineClamp={2}>
              {name}
            </RowLink>
            {agent.description && (
              <Text size="xs" c="dimmed" lineClamp={1} className="panel-user-text">
                {agent.description}
              </Text>
            )}
          </div>
        </Group>
      </Table.Td>
      <Table.Td data-at="sub">
        <StateBadge agent={agent} short />
      </Table.Td>
      <Table.Td maw={112} visibleFrom="lg">
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
        {figures && (
          <>
            {formatNumber(figures.messages)}
            <span className="panel-unit" data-unit={t('messagesUnit', { count: figures.messages })} />
          </>
        )}
      </Table.Td>
      <Table.Td data-at="sub-end" ta="right">
        {figures && <Success {...figures} />}
      </Table.Td>
      <Table.Td ta="right">{figures && <Credits value={figures.credits} bare />}</Table.Td>
      <Table.Td ta="right" visibleFrom="lg" style={{ whiteSpace: 'nowrap' }}>
        <RelativeTime time={agent.lastUsedAt} />
      </Table.Td>
    </Table.Tr>
  )
}
