import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { PauseAllExports } from '../bulk/PauseAllExports'
import { CreateDialog } from '../create/CreateDialog'
import { carryKey } from '../create/carriedKey'
import { useCreateExport } from '../create/useCreateExport'

/** The list's buttons: a new export and, if an agent is chosen, pausing all its exports. The dialogs stay open when a button goes. */
export function useListActions(agent?: string) {
  const { t } = useTranslation(['exports', 'agents'])
  const router = useRouter()
  const [open, setOpen] = useState<'create' | 'pause'>()
  const creation = useCreateExport()
  const { shown, pending } = creation
  useEffect(() => {
    if (!shown || pending) return
    carryKey(shown)
    void router.navigate({ to: '/exports/$id', params: { id: shown.id } })
  }, [shown, pending, router])
  if (!useMay('EDITOR')) return {}
  const close = () => setOpen(undefined)
  const create = <Button onClick={() => setOpen('create')}>{t('create')}</Button>
  const pause = agent && (
    <Button variant="default" onClick={() => setOpen('pause')}>
      {t('agents:pauseAll')}
    </Button>
  )
  const dialogs = (
    <>
      {open === 'create' && <CreateDialog agentId={agent} chooseAgent creation={creation} onClose={close} />}
      {open === 'pause' && agent && <PauseAllExports agentId={agent} onClose={close} />}
    </>
  )
  return { create, pause, dialogs }
}
