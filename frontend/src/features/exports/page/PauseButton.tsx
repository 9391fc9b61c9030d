import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { gql } from '@/shared/gql'
import { notifyDone, notifyError } from '@/shared/ui'
import { PauseApiExportDocument, ResumeApiExportDocument, refreshExports } from '../queries'
import { applyToExport, type Export } from './queries'

/** Pauses an export that answers, or resumes a paused one. */
export function PauseButton({ row }: { row: Export }) {
  const { t } = useTranslation('exports')
  const queryClient = useQueryClient()
  const paused = row.state === 'PAUSED'
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const input = { id: row.id }
      const changed = paused
        ? (await gql(ResumeApiExportDocument, { input })).resumeApiExport.export
        : (await gql(PauseApiExportDocument, { input })).pauseApiExport.export
      applyToExport(queryClient, changed)
      refreshExports(queryClient)
      void notifyDone(t(paused ? 'resumedDone' : 'pausedDone', { name: row.name }))
    },
    onError: notifyError,
  })
  if (row.state !== 'ACTIVE' && !paused) return null
  return (
    <Button
      variant="default"
      loading={isPending}
      onClick={() => mutate()}
      aria-label={t(paused ? 'resumeOf' : 'pauseOf', { name: row.name })}
    >
      {t(paused ? 'resume' : 'pause')}
    </Button>
  )
}
