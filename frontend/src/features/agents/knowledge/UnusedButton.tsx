import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { gql } from '@/shared/gql'
import { confirm, notifyDone } from '@/shared/ui'
import type { Agent } from '../queries'
import { DeleteUnusedKnowledgeDocument, refreshKnowledge, type Source } from './queries'
import { isUnused } from './sourceText'

type Props = { agent: Agent; sources: readonly Source[]; more: boolean }

/** Makes room: deletes what only old versions use. There while there is such a source, or may be one among `more`. */
export function UnusedButton({ agent, sources, more }: Props) {
  const { t } = useTranslation('knowledge')
  const queryClient = useQueryClient()
  const inUse = [agent.publishedVersion?.number, ...agent.exports.map(({ version }) => version)].filter(
    (number) => number != null,
  )
  const mayBe = more && agent.state !== 'DRAFT'
  if (!mayBe && !sources.some((source) => isUnused(source, inUse))) return null
  const ask = () =>
    confirm({
      title: t('unusedTitle'),
      body: t('unusedText'),
      confirmLabel: t('unusedConfirm'),
      danger: true,
      onConfirm: async () => {
        const { deleteUnusedKnowledge } = await gql(DeleteUnusedKnowledgeDocument, { input: { agentId: agent.id } })
        await refreshKnowledge(queryClient)
        void notifyDone(t('unusedDone', { count: deleteUnusedKnowledge.deleted }))
      },
    })
  return (
    <Button variant="default" size="xs" w="fit-content" onClick={() => void ask()}>
      {t('unused')}
    </Button>
  )
}
