import { Button } from '@mantine/core'
import { IconCircleCheck, IconCopy, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { gql } from '@/shared/gql'
import { confirm, notifyDone, notifyError } from '@/shared/ui'
import { dropAllDrafts } from './drafts'
import {
  type Agent,
  CompleteAgentDocument,
  CreateAgentDocument,
  DeleteAgentDocument,
  ReopenAgentDocument,
} from './queries'

const maxName = 100

/** The actions on a whole agent. `missingId` names the element that lists what is missing. */
export function AgentActions({ agent, missingId }: { agent: Agent; missingId: string }) {
  const { t } = useTranslation('agents')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { id, name } = agent
  const refresh = () =>
    Promise.all(['agent', 'agents'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))

  const complete = useMutation({
    mutationFn: async () => {
      await gql(CompleteAgentDocument, { input: { id } })
      await refresh()
      void notifyDone(t('completedDone', { name }))
    },
    onError: notifyError,
  })
  const reopen = () =>
    confirm({
      title: t('reopenTitle', { name }),
      body: t('reopenText'),
      confirmLabel: t('reopen'),
      onConfirm: async () => {
        await gql(ReopenAgentDocument, { input: { id } })
        await refresh()
        void notifyDone(t('reopenedDone', { name }))
      },
    })
  const duplicate = useMutation({
    mutationFn: async () => {
      const { description, instructions, temperature, maxOutputTokens, contextTurns, model } = agent
      const copy = [...t('copyOf', { name, interpolation: { escapeValue: false } })].slice(0, maxName).join('')
      const { createAgent } = await gql(CreateAgentDocument, {
        input: {
          name: copy,
          description,
          instructions,
          temperature,
          maxOutputTokens,
          contextTurns,
          model: model?.name,
        },
      })
      await queryClient.invalidateQueries({ queryKey: ['agents'] })
      void notifyDone(t('created', { name: createAgent.agent.name }))
      await navigate({ to: '/agents/$id', params: { id: createAgent.agent.id } })
    },
    onError: notifyError,
  })
  const remove = () =>
    confirm({
      title: t('deleteTitle', { name }),
      body: t('deleteText', { count: agent.exports.length }),
      confirmLabel: t('delete'),
      danger: true,
      onConfirm: async () => {
        await gql(DeleteAgentDocument, { input: { id } })
        dropAllDrafts()
        await navigate({ to: '/agents' })
        queryClient.removeQueries({ queryKey: ['agent', { id }] })
        void queryClient.invalidateQueries()
        void notifyDone(t('deletedDone', { name }))
      },
    })
  return (
    <>
      {agent.state === 'DRAFT' ? (
        <Button
          leftSection={<IconCircleCheck size={16} aria-hidden />}
          onClick={() => complete.mutate()}
          loading={complete.isPending}
          disabled={agent.missing.length > 0}
          aria-describedby={agent.missing.length > 0 ? missingId : undefined}
        >
          {t('complete')}
        </Button>
      ) : (
        <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => void reopen()}>
          {t('reopen')}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconCopy size={16} aria-hidden />}
        onClick={() => duplicate.mutate()}
        loading={duplicate.isPending}
      >
        {t('duplicate')}
      </Button>
      <Button variant="default" c="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => void remove()}>
        {t('delete')}
      </Button>
    </>
  )
}
