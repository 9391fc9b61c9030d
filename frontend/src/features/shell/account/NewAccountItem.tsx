import { Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useServiceInfo } from '@/features/auth'

/** Opens one more account, where sign-up is open. */
export function NewAccountItem({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('shell')
  if (!useServiceInfo().data?.signUpOpen) return null
  return (
    <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={onClick}>
      {t('newAccount')}
    </Menu.Item>
  )
}
