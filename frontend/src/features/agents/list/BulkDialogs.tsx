import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { refreshVersions } from '@/features/versions'
import { gql } from '@/shared/gql'
import { forgetErased } from '@/shared/remembered'
import { BulkDialog } from '@/shared/ui'
import { DeleteAgentDocument, type ListedAgent, UnpublishAgentDocument } from '../queries'
import { dropAllDrafts } from '../saving/drafts'

type Props = { rows: ListedAgent[]; onClose: () => void }

/** The number of exports that stop with the agents that an action includes. */
const exportsOf = (rows: ListedAgent[], leftOut: (row: ListedAgent) => unknown) =>
  rows.reduce((sum, row) => sum + (leftOut(row) === undefined ? row.exports.length : 0), 0)

/** Takes several agents offline. */
export function TakeOffline(props: Props) {
  const { t } = useTranslation('agents')
  const queryClient = useQueryClient()
  const leftOut = ({ state }: ListedAgent) =>
    state === 'LIVE' ? undefined : t(state === 'DRAFT' ? 'bulk.isDraft' : 'bulk.isOffline')
  return (
    <BulkDialog
      {...props}
      title={t('bulk.offline.title')}
      danger
      leftOut={leftOut}
      says={(count) => (
        <>
          {t('bulk.offline.says', { count })} {t('bulk.offline.exports', { count: exportsOf(props.rows, leftOut) })}
        </>
      )}
      submitLabel={(count) => t('bulk.offline.submit', { count })}
      done={(count) => t('bulk.offline.done', { count })}
      change={({ id }) => gql(UnpublishAgentDocument, { input: { id } })}
      onChanged={() => void refreshVersions(queryClient)}
    />
  )
}

/** Deletes several agents, except live ones. */
export function Delete(props: Props) {
  const { t } = useTranslation('agents')
  const queryClient = useQueryClient()
  const leftOut = ({ state }: ListedAgent) => (state === 'LIVE' ? t('bulk.isLive') : undefined)
  return (
    <BulkDialog
      {...props}
      title={t('bulk.delete.title')}
      danger
      leftOut={leftOut}
      says={(count) => (
        <>
          {t('bulk.delete.says', { count })} {t('bulk.delete.exports', { count: exportsOf(props.rows, leftOut) })}
        </>
      )}
      submitLabel={(count) => t('bulk.delete.submit', { count })}
      done={(count) => t('bulk.delete.done', { count })}
      change={async ({ id }) => {
        await gql(DeleteAgentDocument, { input: { id } })
        dropAllDrafts(id)
      }}
      onChanged={() => void forgetErased(queryClient)}
    />
  )
}
