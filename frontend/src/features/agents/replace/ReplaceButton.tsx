import { Button } from '@mantine/core'
import { IconReplace } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { part } from '@/shared/ui'

const ReplaceDialog = part(() => import('./ReplaceDialog'))

/** Opens Find and replace. */
export function ReplaceButton() {
  const { t } = useTranslation('agents')
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconReplace size={16} aria-hidden />} onClick={() => setOpened(true)}>
        {t('replace.open')}
      </Button>
      {opened && (
        <Suspense fallback={null}>
          <ReplaceDialog onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}
