import { ActionIcon, Menu } from '@mantine/core'
import {
  IconArrowBackUp,
  IconCircleDashed,
  IconCopy,
  IconDots,
  IconFileExport,
  IconPlayerPause,
  IconTrash,
} from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { DiscardAgentChangesDocument, refreshVersions, replacingDraft } from '@/features/versions'
import { saveFile } from '@/shared/download'
import { gql } from '@/shared/gql'
import { forgetErased } from '@/shared/remembered'
import { confirm, LoadingState, notifyDone, notifyError, part } from '@/shared/ui'
import { type Agent, DeleteAgentDocument, DuplicateAgentDocument, UnpublishAgentDocument } from '../queries'
import { dropAllDrafts } from '../saving/drafts'
import { saveDraft } from '../saving/openForms'

const DraftChanges = part(async () => ({ default: (await import('@/features/versions')).DraftChanges }))

const PauseAllExports = part(async () => ({ default: (await import('@/features/exports')).PauseAllExports }))

const maxName = 100
/** An agent may know many megabytes. */
const duplicateMs = 300_000

/** The actions on a whole agent. */
export function AgentActions({ agent }: { agent: Agent }) {
  const { t } = useTranslation('agents')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const may = useMay('EDITOR')
  const [pausing, setPausing] = useState(false)
  const { id, name } = agent
  const takeOffline = () =>
    confirm({
      title: t('offlineTitle', { name }),
      body: t('offlineText', { count: agent.exports.length }),
      confirmLabel: t('takeOffline'),
      danger: true,
      onConfirm: async () => {
        await gql(UnpublishAgentDocument, { input: { id } })
        await refreshVersions(queryClient)
        void notifyDone(t('offlineDone', { name }))
      },
    })
  const published = agent.publishedVersion?.number
  const discard = async () => {
    await saveDraft(id)
    await confirm({
      title: t('discardTitle', { name }),
      body: (
        <Suspense fallback={<LoadingState />}>
          <DraftChanges agentId={id} text={t('discardText', { number: published })} />
        </Suspense>
      ),
      confirmLabel: t('discard'),
      danger: true,
      wide: true,
      onConfirm: replacingDraft(queryClient, id, async (removeKnowledge) => {
        await gql(DiscardAgentChangesDocument, { input: { id, removeKnowledge } })
        await refreshVersions(queryClient)
        void notifyDone(t('discardedDone', { number: published }))
      }),
    })
  }
  const duplicate = useMutation({
    mutationFn: async () => {
      await saveDraft(id)
      const copy = [...t('copyOf', { name, interpolation: { escapeValue: false } })].slice(0, maxName).join('')
      const { duplicateAgent } = await gql(
        DuplicateAgentDocument,
        { input: { id, name: copy } },
        { timeoutMs: duplicateMs },
      )
      await queryClient.invalidateQueries({ queryKey: ['agents'] })
      void notifyDone(t('created', { name: duplicateAgent.agent.name }))
      await navigate({ to: '/agents/$id', params: { id: duplicateAgent.agent.id } })
    },
    onError: notifyError,
  })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const exporting = useMutation({
    mutationFn: async () => {
      running.current = new AbortController()
      const { signal } = running.current
      await saveDraft(id)
      const { agentFile } = await import('../files/agentFile')
      const { file, leftOut } = await agentFile(id, signal)
      saveFile(file, `${name}.jsonl`)
      const names = leftOut.join(', ')
      void notifyDone(t(names ? 'exportedWithout' : 'exported', { names }), { stays: names !== '' })
    },
    onError: (error) => running.current?.signal.aborted || notifyError(error),
  })
  const remove = () =>
    confirm({
      title: t('deleteTitle', { name }),
      body: t('deleteText', { count: agent.exports.length }),
      confirmLabel: t('delete'),
      danger: true,
      onConfirm: async () => {
        await gql(DeleteAgentDocument, { input: { id } })
        dropAllDrafts(id)
        await navigate({ to: '/agents' })
        void forgetErased(queryClient)
        void notifyDone(t('deletedDone', { name }))
      },
    })
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="default"
            size={32}
            aria-label={t('more')}
            loading={duplicate.isPending || exporting.isPending}
          >
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {may && (
            <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => duplicate.mutate()}>
              {t('duplicate')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconFileExport size={16} aria-hidden />} onClick={() => exporting.mutate()}>
            {t('export')}
          </Menu.Item>
          {may && published !== undefined && agent.hasUnpublishedChanges && (
            <Menu.Item leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={() => void discard()}>
              {t('discard')}
            </Menu.Item>
          )}
          {may && agent.exports.length > 0 && (
            <Menu.Item leftSection={<IconPlayerPause size={16} aria-hidden />} onClick={() => setPausing(true)}>
              {t('pauseAll')}
            </Menu.Item>
          )}
          {may && agent.state === 'LIVE' && (
            <Menu.Item leftSection={<IconCircleDashed size={16} aria-hidden />} onClick={() => void takeOffline()}>
              {t('takeOffline')}
            </Menu.Item>
          )}
          {may && (
            <Menu.Item c="var(--bad)" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => void remove()}>
              {t('delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {pausing && (
        <Suspense fallback={null}>
          <PauseAllExports agentId={id} onClose={() => setPausing(false)} />
        </Suspense>
      )}
    </>
  )
}
