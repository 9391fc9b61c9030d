import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { part } from '@/shared/ui'

const DeleteAccountDialog = part(() => import('./DeleteAccountDialog'))

export function DeleteAccount() {
  const { t } = useTranslation('settings')
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <Group>
      <Button color="red" onClick={open}>
        {t('deleteAccount')}
      </Button>
      {opened && (
        <Suspense fallback={null}>
          <DeleteAccountDialog onClose={close} />
        </Suspense>
      )}
    </Group>
  )
}
