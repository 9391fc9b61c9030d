import { Select, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { gql } from '@/shared/gql'
import { Dialog, DialogForm, notifyDone, required, useApiForm } from '@/shared/ui'
import { CreateAgentDocument, modelsQuery } from '../queries'

const schema = z.object({
  name: z.string().check(z.trim(), required()),
  description: z.string(),
  model: z.string(),
})

/** Asks for a name and optional settings, creates a draft and opens it. Loaded on first use. */
export default function NewAgentDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('agents')
  return (
    <Dialog onClose={onClose} title={t('new')}>
      <NewAgentForm onClose={onClose} />
    </Dialog>
  )
}

function NewAgentForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('agents')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const models = useQuery(modelsQuery)
  const api = useApiForm({
    initialValues: { name: '', description: '', model: '' },
    schema,
    submit: async ({ name, description, model }) => {
      const { createAgent } = await gql(CreateAgentDocument, {
        input: { name: name.trim(), description, model: model || undefined },
      })
      await queryClient.invalidateQueries({ queryKey: ['agents'], refetchType: 'none' })
      notifyDone(t('created', { name: createAgent.agent.name }))
      await navigate({ to: '/agents/$id', params: { id: createAgent.agent.id } })
    },
  })
  const { form } = api
  const available = models.data?.models.filter((model) => model.available) ?? []
  return (
    <DialogForm api={api} submitLabel={t('create')} onCancel={onClose}>
      <TextInput
        label={t('name')}
        maxLength={200}
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <Textarea
        label={t('descriptionLabel')}
        description={t('descriptionHelp')}
        autosize
        minRows={2}
        maxRows={6}
        key={form.key('description')}
        {...form.getInputProps('description')}
      />
      <Select
        label={t('model')}
        description={models.isError ? t('modelsFailed') : t('modelHelp')}
        data={[
          { value: '', label: t('modelLater') },
          ...available.map((model) => ({
            value: model.name,
            label: t(model.sandbox ? 'sandboxOption' : 'modelOption', {
              label: model.label,
              count: model.creditsPerMessage,
            }),
          })),
        ]}
        key={form.key('model')}
        {...form.getInputProps('model')}
      />
    </DialogForm>
  )
}
