import { Text, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { formatNumber } from '@/shared/format'
import { gql } from '@/shared/gql'
import { i18n } from '@/shared/i18n'
import { atMost, Dialog, DialogForm, notifyDone, required, useApiForm } from '@/shared/ui'
import { sourceForm, useFormDraft } from '../saving/drafts'
import { Restored } from '../saving/Restored'
import { AddKnowledgeTextDocument, maxText, ReplaceKnowledgeSourceDocument, refreshKnowledge } from './queries'

const maxName = 200

/** The form rule that a text says something. */
export const notBlank = () => z.refine<string>((text) => text.trim() !== '', { error: () => i18n.t('form.required') })

const schema = z.object({
  name: z.string().check(z.trim(), required(), atMost(maxName)),
  text: z.string().check(notBlank(), atMost(maxText)),
})

type Props = {
  agentId: string
  /** The text that the new one replaces. */
  replaced?: { id: string; name: string; text: string }
  onClose: () => void
  /** Told the new source. */
  onDone?: (id: string) => void
}

/** Adds a text to the draft's knowledge, or puts another in its place. */
export function TextDialog({ agentId, replaced, onClose, onDone }: Props) {
  const { t } = useTranslation('knowledge')
  const queryClient = useQueryClient()
  const blank = { name: replaced?.name ?? '', text: replaced?.text ?? '' }
  const draft = useFormDraft(agentId, replaced ? sourceForm(replaced.id) : 'text', schema, blank)
  const api = useApiForm({
    initialValues: draft.values,
    schema,
    submit: async ({ name, text }) => {
      const { source } = replaced
        ? (await gql(ReplaceKnowledgeSourceDocument, { input: { id: replaced.id, name: name.trim(), text } }))
            .replaceKnowledgeSource
        : (await gql(AddKnowledgeTextDocument, { input: { agentId, name: name.trim(), text } })).addKnowledgeText
      draft.drop()
      onDone?.(source.id)
      await refreshKnowledge(queryClient)
      void notifyDone(t(replaced ? 'replacedDone' : 'addedDone', { name: source.name }))
      close()
    },
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
      title={replaced ? t('editTitle', { name: replaced.name }) : t('newText')}
      size={720}
      closeOnEscape={draft.isBase(form.values)}
    >
      <DialogForm api={api} submitLabel={t(replaced ? 'replace' : 'add')} onCancel={close}>
        {draft.restored && <Restored />}
        {replaced && <Text size="sm">{t('editHelp')}</Text>}
        <TextInput
          label={t('name')}
          description={t('nameHelp')}
          data-autofocus
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <Textarea
          label={t('text')}
          description={t('textHelp', { limit: formatNumber(maxText) })}
          autosize
          minRows={8}
          maxRows={20}
          key={form.key('text')}
          {...form.getInputProps('text')}
        />
      </DialogForm>
    </Dialog>
  )
}
