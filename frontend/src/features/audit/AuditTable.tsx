import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { browserName } from '@/features/settings'
import { RelativeTime } from '@/shared/time'
import { AppLink, agentChoicesQuery, exportChoicesQuery, Table, TableScroll } from '@/shared/ui'
import type { Entry } from './queries'
import { useWords } from './useWords'

/** The entries: what was done, by whom, on what, from where and when. */
export function AuditTable({ entries }: { entries: readonly Entry[] }) {
  const { t } = useTranslation('audit')
  return (
    <TableScroll label={t('title')}>
      <Table miw={640} horizontalSpacing="xs" className="panel-table">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="30%">{t('what')}</Table.Th>
            <Table.Th>{t('who')}</Table.Th>
            <Table.Th>{t('on')}</Table.Th>
            <Table.Th>{t('from')}</Table.Th>
            <Table.Th ta="right">{t('when')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Row key={entry.id} entry={entry} />
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  )
}

function Row({ entry }: { entry: Entry }) {
  const { did, fieldsOf } = useWords()
  const { action, subject, browser, address, at } = entry
  const failed = action === 'signInFailed'
  return (
    <Table.Tr>
      <Table.Td data-at="title">
        <Text inherit fw={failed ? 500 : undefined} c={failed ? 'var(--bad)' : undefined}>
          {did(entry)}
        </Text>
        <Small>{fieldsOf(entry)}</Small>
      </Table.Td>
      <Table.Td data-at="sub">
        <Who entry={entry} />
      </Table.Td>
      <Table.Td data-at="more">
        <Subject id={subject} />
      </Table.Td>
      <Table.Td data-at="sub-end">
        <span className="panel-numbers">{address}</span>
        <Small>{browser && browserName(browser)}</Small>
      </Table.Td>
      <Table.Td data-at="end" ta="right">
        <RelativeTime time={at} />
      </Table.Td>
    </Table.Tr>
  )
}

function Who({ entry: { actor } }: { entry: Entry }) {
  const { t } = useTranslation('audit')
  const { kind, name } = actor
  return (
    <>
      <span className="panel-user-text">{name || t(`nameless.${kind}`)}</span>
      <Small>{name && kind !== 'USER' && t(`kinds.${kind}`)}</Small>
    </>
  )
}

/** A link to an agent or an export that is still there; nothing else has a page. */
function Subject({ id }: { id: string }) {
  const agent = useQuery(agentChoicesQuery).data?.find((one) => one.id === id)
  const exported = useQuery(exportChoicesQuery(undefined)).data?.find((one) => one.id === id)
  if (agent) {
    return (
      <AppLink to="/agents/$id" params={{ id }} className="panel-user-text" fz="sm">
        {agent.name}
      </AppLink>
    )
  }
  if (!exported) return null
  return (
    <AppLink to="/exports/$id" params={{ id }} className="panel-user-text" fz="sm">
      {exported.name}
    </AppLink>
  )
}

function Small({ children }: { children: string | false | null | undefined }) {
  if (!children) return null
  return (
    <Text size="xs" c="dimmed" className="panel-user-text">
      {children}
    </Text>
  )
}
