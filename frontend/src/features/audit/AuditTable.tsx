import { Code, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Member } from '@/features/members'
import { browserName, words as ofUsers } from '@/features/settings'
import { formatExact } from '@/shared/time'
import { AppLink, Table, TableScroll } from '@/shared/ui'
import classes from './AuditTable.module.css'
import type { Entry } from './queries'
import { useWords } from './useWords'

type Named = { id: string; name: string }

/** The account's ID, and the members, agents and exports that entries name by their IDs, as far as they are loaded. */
type Names = { account?: string; members?: Member[]; agents?: Named[]; exports?: Named[] }

type Props = { entries: readonly Entry[]; named: Names }

/** The entries: when, by whom, what was done, on what, and from where. */
export function AuditTable({ entries, named }: Props) {
  const { t } = useTranslation('audit')
  return (
    <TableScroll label={t('title')}>
      <Table rows="log" columns={[178, 136, { min: 150 }, { min: 80 }, 112]} className="panel-table">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('when')}</Table.Th>
            <Table.Th>{t('who')}</Table.Th>
            <Table.Th w="30%">{t('what')}</Table.Th>
            <Table.Th>{t('on')}</Table.Th>
            <Table.Th>{t('from')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Row key={entry.id} entry={entry} named={named} />
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  )
}

function Row({ entry, named }: { entry: Entry; named: Names }) {
  const { did, fieldsOf } = useWords()
  const { action, browser, address, at } = entry
  const failed = action === 'signInFailed'
  const fields = fieldsOf(entry)
  const from = [address, browser && browserName(browser)].filter(Boolean).join(' · ')
  return (
    <Table.Tr>
      <Table.Td data-at="sub" className="panel-numbers">
        <time dateTime={at}>{formatExact(at)}</time>
      </Table.Td>
      <Table.Td data-at="end">
        <Who entry={entry} members={named.members} />
      </Table.Td>
      <Table.Td data-at="title" title={[did(entry), fields].filter(Boolean).join(': ')}>
        <Text span inherit fw={failed ? 500 : undefined} c={failed ? 'var(--bad)' : undefined}>
          {did(entry)}
        </Text>
        <Small>{fields}</Small>
      </Table.Td>
      <Table.Td data-at="more">
        <Subject entry={entry} named={named} />
      </Table.Td>
      <Table.Td data-at="sub-end" className="panel-numbers" title={from}>
        <span className="panel-user-text">{from}</span>
      </Table.Td>
    </Table.Tr>
  )
}

/** A member by name, with the email in a tooltip; others by what they are called. */
function Who({ entry: { actor }, members }: { entry: Entry; members?: Member[] }) {
  const { t } = useTranslation('audit')
  const { kind, name, actorId } = actor
  const member = members?.find(({ userId }) => userId === actorId)
  return (
    <>
      <span className="panel-user-text" title={member && name}>
        {member?.name || name || t(`nameless.${kind}`)}
      </span>
      <Small>{name && kind !== 'USER' && t(`kinds.${kind}`)}</Small>
    </>
  )
}

/** The entry's target: a link, a member's name or a shortened ID. Empty for the account and the actor, and until the names are loaded. */
function Subject({ entry, named: { account, members, agents, exports } }: { entry: Entry; named: Names }) {
  const { subject: id, action, actor } = entry
  const agent = agents?.find((one) => one.id === id)
  const exported = exports?.find((one) => one.id === id)
  const member = members?.find(({ userId }) => userId === id)
  if (agent) {
    return (
      <AppLink to="/agents/$id" params={{ id }} className="panel-user-text" fz="sm">
        {agent.name}
      </AppLink>
    )
  }
  if (exported) {
    return (
      <AppLink to="/exports/$id" params={{ id }} className="panel-user-text" fz="sm">
        {exported.name}
      </AppLink>
    )
  }
  if (id === account || id === actor.actorId) return null
  if (member) {
    return (
      <span className="panel-user-text" title={member.email}>
        {member.name}
      </span>
    )
  }
  if (action in ofUsers || !agents || !exports || !members) return null
  return (
    <Code title={id} translate="no">
      …{id.slice(-8)}
    </Code>
  )
}

/** What is said after the main word, on the same line. */
function Small({ children }: { children: string | false }) {
  if (!children) return null
  return (
    <Text span size="xs" c="dimmed" className={classes.small}>
      {children}
    </Text>
  )
}
