import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { gql } from '@/shared/gql'
import { confirm, notifyDone, notifyError, PendingButton } from '@/shared/ui'
import type { Agent } from '../queries'
import { hasDraft, sourceForm } from '../saving/drafts'
import { AnswerDialog } from './AnswerDialog'
import {
  DeleteKnowledgeSourceDocument,
  isDoubtful,
  type OpenSource,
  RemoveKnowledgeSourceDocument,
  refreshKnowledge,
  wholeText,
} from './queries'
import { ReadAgain } from './ReadAgain'
import { ReplaceFileDialog } from './ReplaceFileDialog'
import { numberRanges } from './sourceText'
import { TextDialog } from './TextDialog'

type Props = { agent: Agent; source: OpenSource; onOpen: (id: string | undefined) => void }

/** Editing a source, which replaces it; taking it out of the draft; and deleting it everywhere. */
export function SourceActions({ agent, source, onOpen }: Props) {
  const { t } = useTranslation('knowledge')
  const queryClient = useQueryClient()
  const { id, name, inDraft, inVersions } = source
  const [edited, setEdited] = useState<string>()
  const read = useMutation({ mutationFn: () => wholeText(id), onSuccess: setEdited, onError: notifyError })
  const { mutate: edit } = read
  useEffect(() => {
    if (hasDraft(agent.id, sourceForm(id))) edit()
  }, [agent.id, id, edit])
  const end = async (done: string) => {
    onOpen(undefined)
    await refreshKnowledge(queryClient)
    void notifyDone(done)
  }
  const takeOut = async () => {
    await gql(RemoveKnowledgeSourceDocument, { input: { id } })
    await end(t('removedDone', { name }))
  }
  const removal = useMutation({
    mutationFn: async () => {
      if (inVersions.length > 0) return takeOut()
      await confirm({
        title: t('removeTitle', { name }),
        body: t('removeText'),
        confirmLabel: t('remove'),
        danger: true,
        onConfirm: takeOut,
      })
    },
    onError: notifyError,
  })
  const ask = () =>
    confirm({
      title: t('deleteTitle', { name }),
      body: <Lost agent={agent} source={source} />,
      confirmLabel: t('delete'),
      danger: true,
      onConfirm: async () => {
        await gql(DeleteKnowledgeSourceDocument, { input: { id } })
        await end(t('deletedDone', { name }))
      },
    })
  const [replaced, setReplaced] = useState(false)
  const close = () => setEdited(undefined)
  const editing = { agentId: agent.id, onClose: close, onDone: onOpen }
  return (
    <div>
      <Group gap="xs">
        {inDraft && source.kind !== 'FILE' && (
          <PendingButton variant="default" size="xs" pending={read.isPending} onClick={() => edit()}>
            {t('edit')}
          </PendingButton>
        )}
        {source.state === 'FAILED' && !isDoubtful(source) && <ReadAgain id={id} name={name} />}
        {inDraft && source.kind === 'FILE' && (
          <Button variant="default" size="xs" onClick={() => setReplaced(true)}>
            {t('replaceFile')}
          </Button>
        )}
        {inDraft && (
          <PendingButton variant="default" size="xs" pending={removal.isPending} onClick={() => removal.mutate()}>
            {t('remove')}
          </PendingButton>
        )}
        <Button variant="default" size="xs" c="var(--bad)" onClick={() => void ask()}>
          {t('delete')}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {t('removeHelp')}
      </Text>
      {replaced && <ReplaceFileDialog id={id} onClose={() => setReplaced(false)} onDone={onOpen} />}
      {edited !== undefined && source.kind === 'TEXT' && (
        <TextDialog {...editing} replaced={{ id, name, text: edited }} />
      )}
      {edited !== undefined && source.kind === 'ANSWER' && (
        <AnswerDialog {...editing} replaced={{ id, name, ...answerOf(edited, source.question ?? '') }} />
      )}
    </div>
  )
}

/** What was read of an answer is its questions, an empty line, and the answer. */
function answerOf(text: string, questions: string) {
  const before = `${questions}\n\n`
  return { questions, answer: text.startsWith(before) ? text.slice(before.length) : text }
}

/** What deleting a source for good takes from whom. */
function Lost({ agent, source: { inDraft, inVersions } }: Pick<Props, 'agent' | 'source'>) {
  const { t } = useTranslation('knowledge')
  const values = { count: inVersions.length, numbers: numberRanges(inVersions) }
  const live = agent.state === 'LIVE' ? agent.publishedVersion?.number : undefined
  return (
    <>
      <Text>
        {inVersions.length === 0 ? t('deleteDraft') : t(inDraft ? 'deleteBoth' : 'deleteVersions', values)}{' '}
        {live !== undefined && inVersions.includes(live) && t('deleteLive', { number: live })}
      </Text>
      <Text>{t('deleteForever')}</Text>
    </>
  )
}
