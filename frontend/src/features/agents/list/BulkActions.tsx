import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChosenBar, part, type useChosen } from '@/shared/ui'
import type { ListedAgent } from '../queries'

const TakeOffline = part(async () => ({ default: (await import('./BulkDialogs')).TakeOffline }))
const Delete = part(async () => ({ default: (await import('./BulkDialogs')).Delete }))

/** What can be done to the chosen agents, and the dialog of what is to be done to them. */
export function BulkActions({ chosen }: { chosen: ReturnType<typeof useChosen<ListedAgent>> }) {
  const { t } = useTranslation('agents')
  const [action, setAction] = useState<'offline' | 'delete'>()
  const Dialog = action === 'offline' ? TakeOffline : Delete
  return (
    <>
      <ChosenBar chosen={chosen}>
        <Button size="xs" variant="default" onClick={() => setAction('offline')}>
          {t('takeOffline')}
        </Button>
        <Button size="xs" variant="default" c="var(--bad)" onClick={() => setAction('delete')}>
          {t('deleteChosen')}
        </Button>
      </ChosenBar>
      {action && (
        <Suspense fallback={null}>
          <Dialog rows={chosen.rows} onClose={() => setAction(undefined)} />
        </Suspense>
      )}
    </>
  )
}
