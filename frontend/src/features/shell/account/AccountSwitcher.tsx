import { Menu, Text, UnstyledButton } from '@mantine/core'
import { IconCheck, IconSelector } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useViewer } from '@/features/auth'
import { switchAccount } from '@/shared/gql'
import { AgentMark } from '@/shared/ui'

/** The account that is open, for those who have several; its menu has the others. */
export default function AccountSwitcher() {
  const { t } = useTranslation('shell')
  const data = useViewer().data
  if (!data) return null
  const { viewer, me } = data
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton className="panel-account panel-home" aria-label={t('switchFrom', { name: viewer.name })}>
          <AgentMark name={viewer.name} />
          <Text span truncate inherit className="panel-user-text">
            {viewer.name}
          </Text>
          <IconSelector size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown maw={320}>
        <Menu.Label>{t('accounts')}</Menu.Label>
        {me.memberships.map(({ account, role }) => (
          <Menu.Item
            key={account.accountId}
            aria-current={account.accountId === viewer.id ? 'true' : undefined}
            leftSection={<AgentMark name={account.name} />}
            rightSection={account.accountId === viewer.id && <IconCheck size={16} aria-hidden />}
            onClick={() => account.accountId !== viewer.id && switchAccount(account.accountId)}
          >
            <Text size="sm" className="panel-user-text" lineClamp={2}>
              {account.name}
            </Text>
            <Text size="xs" c="var(--text-2)">
              {t(`role.${role}`, { ns: 'common' })}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
