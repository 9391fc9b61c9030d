import { Button } from '@mantine/core'
import { IconSettings } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { part } from '@/shared/ui'

const SettingsDialog = part(() => import('./SettingsDialog'))

/** Opens the test settings, which owners change. */
export function SettingsButton({ agentId }: { agentId: string }) {
  const { t } = useTranslation('tests')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconSettings size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('settings.open')}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <SettingsDialog agentId={agentId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
