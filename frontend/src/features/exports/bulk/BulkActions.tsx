import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Chosen, ChosenBar, part } from '@/shared/ui'
import type { AgentExport } from '../queries'
import { type Action, actions } from './useAction'

const Dialog = part(() => import('./ActionDialog'))

/** The bar of the chosen exports, and the dialog of the chosen action. */
export function BulkActions({ chosen }: { chosen: Chosen<AgentExport> }) {
  const { t } = useTranslation('exports')
  const [action, setAction] = useState<Action>()
  return (
    <>
      <ChosenBar chosen={chosen}>
        {actions.map((one) => (
          <Button key={one} size="xs" variant="default" onClick={() => setAction(one)}>
            {t(`bulk.${one}.verb`)}
          </Button>
        ))}
      </ChosenBar>
      {action && (
        <Suspense fallback={null}>
          <Dialog action={action} rows={chosen.rows} onClose={() => setAction(undefined)} />
        </Suspense>
      )}
    </>
  )
}
