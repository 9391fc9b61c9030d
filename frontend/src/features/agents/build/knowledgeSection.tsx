import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { knowledgeChanges, reviewQuery } from '@/features/versions'
import { LoadingState, part } from '@/shared/ui'
import type { BuildSection, SectionProps } from './buildSection'

const KnowledgeEditor = part(() => import('../knowledge/KnowledgeEditor'))

/** What the agent knows. It is no part of the form: each change is made at once, in the draft. */
export const knowledgeSection: BuildSection = { id: 'knowledge', fields: [], State: Mode, useChanged, Editor }

function Mode({ agent }: SectionProps) {
  const { t } = useTranslation('knowledge')
  return t(`short.${agent.knowledgeUse.mode}`)
}

/** Whether the draft has other sources than the version that callers get. */
function useChanged({ agent }: SectionProps) {
  const published = agent.publishedVersion != null
  const review = useQuery({ ...reviewQuery(agent.id), enabled: published && agent.hasUnpublishedChanges }).data?.agent
  if (!agent.hasUnpublishedChanges || !review?.publishedVersion) return false
  return knowledgeChanges(review.publishedVersion, review).length > 0
}

/** It is loaded once it is opened, or one of its sources, and stays: files may be on their way when it is closed. */
function Editor({ agent, open }: SectionProps & { open: boolean }) {
  const { knowledge } = useSearch({ strict: false })
  const [loaded, setLoaded] = useState(false)
  const needed = open || knowledge !== undefined
  if (needed && !loaded) setLoaded(true)
  if (!needed && !loaded) return null
  return (
    <Suspense fallback={<LoadingState />}>
      <KnowledgeEditor agent={agent} listed={open} />
    </Suspense>
  )
}
