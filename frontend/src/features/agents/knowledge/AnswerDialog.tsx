import { Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { formatNumber } from '@/shared/format'
import { gql } from '@/shared/gql'
import { i18n } from '@/shared/i18n'
import { atMost, Dialog, DialogForm, isTooLong, notifyDone, useApiForm } from '@/shared/ui'
import { sourceForm, useFormDraft } from '../saving/drafts'
import { Restored } from '../saving/Restored'
import { linesOf } from './lines'
import { AddKnowledgeAnswerDocument, ReplaceKnowledgeSourceDocument, refreshKnowledge } from './queries'
import { notBlank } from './TextDialog'

const maxQuestions = 20
const maxQuestion = 500
const maxAnswer = 8_000

const schema = z.object({
  questions: z.string().check(
    z.refine<string>((text) => linesOf(text).length > 0 && linesOf(text).length <= maxQuestions, {
      error: () => i18n.t('knowledge:questionsRange', { limit: maxQuestions }),
    }),
    z.refine<string>((text) => !linesOf(text).some((line) => isTooLong(line, maxQuestion)), {
      error: () => i18n.t('knowledge:questionLong', { limit: maxQuestion }),
    }),
  ),
  answer: z.string().check(notBlank(), atMost(maxAnswer)),
})

type Props = {
  agentId: string
  /** The answer that the new one replaces, with its questions, one a line. */
  replaced?: { id: string; name: string; questions: string; answer: string }
  onClose: () => void
  /** Told the new source. */
  onDone?: (id: string) => void
}

/** Adds an answer with its questions to the draft's knowledge, or puts another in its place. */
export function AnswerDialog({ agentId, replaced, onClose, onDone }: Props) {
  const { t } = useTranslation('knowledge')
  const queryClient = useQueryClient()
  const blank = { questions: replaced?.questions ?? '', answer: replaced?.answer ?? '' }
  const draft = useFormDraft(agentId, replaced ? sourceForm(replaced.id) : 'answer', schema, blank)
  const api = useApiForm({
    initialValues: draft.values,
    schema,
    submit: async (values) => {
      const input = { questions: linesOf(values.questions), answer: values.answer }
      const { source } = replaced
        ? (await gql(ReplaceKnowledgeSourceDocument, { input: { id: replaced.id, ...input } })).replaceKnowledgeSource
        : (await gql(AddKnowledgeAnswerDocument, { input: { agentId, ...input } })).addKnowledgeAnswer
      draft.drop()
      onDone?.(source.id)
      await refreshKnowledge(queryClient)
      void notifyDone(t(replaced ? 'replacedDone' : 'addedDone', { name: source.name }))
      close()
    },
    fieldOf: Object.fromEntries(
      Array.from({ length: maxQuestions }, (_, at) => [`questions.${at}`, 'questions' as const]),
    ),
  })
  const { form } = api
  useEffect(() => draft.keep(form.values), [draft, form.values])
  const close = () => {
    draft.drop()
    onClose()
  }
  return (
    <Dialog
      onClose={close}
      title={replaced ? t('editTitle', { name: replaced.name }) : t('newAnswer')}
      size={640}
      closeOnEscape={draft.isBase(form.values)}
    >
      <DialogForm api={api} submitLabel={t(replaced ? 'replace' : 'add')} onCancel={close}>
        {draft.restored && <Restored />}
        {replaced && <Text size="sm">{t('editHelp')}</Text>}
        <Textarea
          label={t('questions')}
          description={t('questionsHelp', { limit: maxQuestions })}
          data-autofocus
          autosize
          minRows={2}
          maxRows={10}
          key={form.key('questions')}
          {...form.getInputProps('questions')}
        />
        <Textarea
          label={t('answer')}
          description={t('answerHelp', { limit: formatNumber(maxAnswer) })}
          autosize
          minRows={4}
          maxRows={16}
          key={form.key('answer')}
          {...form.getInputProps('answer')}
        />
      </DialogForm>
    </Dialog>
  )
}
