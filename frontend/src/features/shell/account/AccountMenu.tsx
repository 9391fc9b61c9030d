import { Menu, Text } from '@mantine/core'
import { IconKeyboard, IconLogout, IconPlus, IconSettings } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NewAccountDialog } from '@/features/accounts'
import { signOut, useViewer } from '@/features/auth'
import { notifyError, part } from '@/shared/ui'
import { ThemeItems } from '../theme/ThemeItems'
import { AccountIcon } from './AccountIcon'

const KeysDialog = part(() => import('../KeysDialog'))

/** The menu of the account button. Loaded on first use, and then opens itself. */
export default function AccountMenu() {
  const { t } = useTranslation('shell')
  const data = useViewer().data
  const target = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  const [keys, setKeys] = useState(false)
  const [creating, setCreating] = useState(false)
  useEffect(() => {
    target.current?.focus() // so that the focus returns here when the menu closes
    setOpened(true)
  }, [])
  return (
    <>
      <Menu opened={opened} onChange={setOpened}>
        <Menu.Target>
          <AccountIcon ref={target} />
        </Menu.Target>
        <Menu.Dropdown maw={280}>
          {data && (
            <>
              <Menu.Label>
                <Text size="sm" fw={500} c="var(--text)" className="panel-user-text" lineClamp={2}>
                  {data.me.name}
                </Text>
                <Text size="xs" c="dimmed" className="panel-user-text" lineClamp={2}>
                  {data.me.email}
                </Text>
              </Menu.Label>
              <Menu.Divider />
            </>
          )}
          <Menu.Item
            data-autofocus
            component={Link}
            to="/settings"
            leftSection={<IconSettings size={16} aria-hidden />}
          >
            {t('settings')}
          </Menu.Item>
          {data?.serviceInfo.signUpOpen && (
            <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
              {t('newAccount')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={() => setKeys(true)}>
            {t('keys')}
          </Menu.Item>
          <Menu.Divider />
          <ThemeItems />
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut().catch(notifyError)}>
            {t('signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {creating && (
        <Suspense fallback={null}>
          <NewAccountDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
      {keys && (
        <Suspense fallback={null}>
          <KeysDialog onClose={() => setKeys(false)} />
        </Suspense>
      )}
    </>
  )
}
