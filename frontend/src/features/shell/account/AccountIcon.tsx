import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { IconUserCircle } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { useViewer } from '@/features/auth'

export function AccountIcon(props: ActionIconProps & Omit<ComponentProps<'button'>, keyof ActionIconProps>) {
  const { t } = useTranslation('shell')
  const me = useViewer().data?.me
  return (
    <ActionIcon
      size="lg"
      aria-haspopup="menu"
      aria-label={me ? t('accountOf', { name: me.name }) : t('account')}
      {...props}
    >
      <IconUserCircle size={22} stroke={1.6} aria-hidden />
    </ActionIcon>
  )
}
