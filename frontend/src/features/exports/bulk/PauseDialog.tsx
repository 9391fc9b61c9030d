import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { gql } from '@/shared/gql'
import { BulkDialog } from '@/shared/ui'
import { type AgentExport, PauseApiExportDocument } from '../queries'
import { useAction } from './useAction'

type Props = {
  rows: Pick<AgentExport, 'id' | 'name' | 'state'>[]
  title?: string
  /** Shown until the rows are known. */
  loading?: ReactNode
  children?: ReactNode
  onClose: () => void
}

/** Pauses several exports, after showing how many will change. */
export function PauseDialog(props: Props) {
  const { t } = useTranslation('exports')
  const { title, ...texts } = useAction('pause')
  return (
    <BulkDialog
      title={title}
      {...texts}
      {...props}
      leftOut={({ state }) =>
        state === 'PAUSED' ? t('bulk.isPaused') : state === 'EXPIRED' ? t('bulk.isExpired') : undefined
      }
      change={({ id }) => gql(PauseApiExportDocument, { input: { id } })}
    />
  )
}
