import { Input, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { upload } from '@/shared/gql/upload'
import { QueryView, ShowMore } from '@/shared/ui'
import type { Agent } from '../queries'
import { AddButtons } from './AddButtons'
import { DropZone } from './files/DropZone'
import { UploadList } from './files/UploadList'
import { type Uploads, useUploads } from './files/useUploads'
import { KnowledgeUsage } from './KnowledgeUsage'
import { knowledgeUseQuery } from './knowledgeUse'
import { AddKnowledgeFileDocument, knowledgeQuery } from './queries'
import { SourceDrawer } from './SourceDrawer'
import { SourcesTable } from './SourcesTable'
import { TryQuestion } from './TryQuestion'
import { UnusedButton } from './UnusedButton'
import { useRefreshOnceRead } from './useRefreshOnceRead'

/** What an agent knows: its sources, how they reach the model, and a search in them. Each change is made at once, in the draft. */
export default function KnowledgeEditor({ agent, listed }: { agent: Agent; listed: boolean }) {
  const { knowledge } = useSearch({ strict: false })
  const navigate = useNavigate()
  const uploads = useUploads((file, options) =>
    upload(AddKnowledgeFileDocument, { agentId: agent.id, name: file.name, file }, options),
  )
  const open = (id: string | undefined) =>
    void navigate({ to: '.', search: (old) => ({ ...old, knowledge: id }), resetScroll: false })
  return (
    // The page's form has nothing to do with the dialogs of this part.
    <div onSubmit={(event) => event.stopPropagation()}>
      {listed && <Sources agent={agent} uploads={uploads} onOpen={open} />}
      <SourceDrawer agent={agent} id={knowledge} onOpen={open} />
    </div>
  )
}

type Props = { agent: Agent; uploads: Uploads; onOpen: (id: string) => void }

function Sources({ agent, uploads, onOpen }: Props) {
  const { t } = useTranslation('knowledge')
  const may = useMay('EDITOR')
  const use = useQuery(knowledgeUseQuery(agent.id)).data?.agent.knowledgeUse
  const query = useInfiniteQuery(knowledgeQuery(agent.id))
  const filesButton = useRef<HTMLButtonElement>(null)
  const sources = query.data?.pages.flatMap((page) => page.agent.knowledge.nodes) ?? []
  useRefreshOnceRead(sources)
  const list = (
    <>
      <QueryView query={query}>
        {() => {
          if (sources.length === 0)
            return (
              <Text size="sm" c="dimmed">
                {t(may ? 'emptyText' : 'short.NONE')}
              </Text>
            )
          return (
            <>
              {use && <Text size="sm">{t(`mode.${use.mode}`)}</Text>}
              <ShowMore query={query}>
                <SourcesTable sources={sources} onOpen={onOpen} />
              </ShowMore>
              {use && <KnowledgeUsage use={use} />}
              {may && <UnusedButton agent={agent} sources={sources} more={query.hasNextPage} />}
              {use && use.mode !== 'NONE' && <TryQuestion agentId={agent.id} mode={use.mode} onOpen={onOpen} />}
            </>
          )
        }}
      </QueryView>
    </>
  )
  if (!may) return list
  return (
    <DropZone label={t('title')} onDrop={uploads.add}>
      <Input.Description>{t('help')}</Input.Description>
      <AddButtons agentId={agent.id} onFiles={uploads.add} filesButton={filesButton} />
      <UploadList uploads={uploads} filesButton={filesButton} />
      {list}
    </DropZone>
  )
}
