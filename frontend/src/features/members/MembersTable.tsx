import { ActionIcon, Badge, Group, Text } from '@mantine/core'
import { IconShieldCheck, IconShieldOff, IconUserMinus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { RelativeTime } from '@/shared/time'
import { Table, TableScroll } from '@/shared/ui'
import { useRemove } from './leaving'
import type { Member } from './queries'
import { RoleSelect } from './RoleSelect'

type Props = { members: readonly Member[]; me: string }

/** The members, with actions for owners. */
export function MembersTable({ members, me }: Props) {
  const { t } = useTranslation('members')
  const may = useMay('OWNER')
  return (
    <TableScroll label={t('title')}>
      <Table miw={560} horizontalSpacing="xs" className="panel-table">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="40%">{t('name')}</Table.Th>
            <Table.Th>{t('role')}</Table.Th>
            <Table.Th>{t('secondFactor')}</Table.Th>
            <Table.Th ta="right">{t('lastActive')}</Table.Th>
            {may && <Table.Th w={48} />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {members.map((member) => (
            <Row key={member.userId} member={member} isMe={member.userId === me} may={may} />
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  )
}

function Row({ member, isMe, may }: { member: Member; isMe: boolean; may: boolean }) {
  const { t } = useTranslation('members')
  const remove = useRemove()
  const { name, email, role, secondFactor, lastSeenAt } = member
  return (
    <Table.Tr>
      <Table.Td data-at="title">
        <Group gap="xs">
          <Text inherit fw={500} className="panel-user-text">
            {name}
          </Text>
          {isMe && <Badge variant="default">{t('you')}</Badge>}
        </Group>
        <Text size="xs" c="dimmed" translate="no" truncate title={email}>
          {email}
        </Text>
      </Table.Td>
      <Table.Td data-at="sub">
        {may ? <RoleSelect member={member} isMe={isMe} /> : t(`role.${role}`, { ns: 'common' })}
      </Table.Td>
      <Table.Td data-at="sub-end">
        <Group gap={4} wrap="nowrap" c={secondFactor ? undefined : 'var(--warn)'}>
          {secondFactor ? <IconShieldCheck size={16} aria-hidden /> : <IconShieldOff size={16} aria-hidden />}
          {t(secondFactor ? 'factorOn' : 'factorOff')}
        </Group>
      </Table.Td>
      <Table.Td data-at="end" ta="right" style={{ whiteSpace: 'nowrap' }}>
        <RelativeTime time={lastSeenAt} none={t('notActive')} />
      </Table.Td>
      {may && (
        <Table.Td data-at="sub-end" ta="right">
          {!isMe && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('removeOf', { name })}
              onClick={() => void remove(member)}
            >
              <IconUserMinus size={16} aria-hidden />
            </ActionIcon>
          )}
        </Table.Td>
      )}
    </Table.Tr>
  )
}
