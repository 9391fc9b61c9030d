import { Select, Text, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { atMost, Dialog, DialogForm, required, useAllPages, useApiForm } from '@/shared/ui'
import { liveAgentsQuery } from '../queries'
import type { Creation, NewExport } from './useCreateExport'

const maxName = 100

const schema = z.object({
  agentId: z.string().check(required()),
  name: z.string().check(z.trim(), atMost(maxName)),
})

type Props = {
  /** The agent, or the one to begin with. */
  agentId?: string
  chooseAgent?: boolean
  creation: Creation
  onClose: () => void
}

/** Asks for the name of a new export, and in the list of the account for its agent. It closes when the key has arrived. */
export function CreateDialog({ agentId = '', chooseAgent, creation, onClose }: Props) {
  const { t } = useTranslation('exports')
  const api = useApiForm<NewExport>({
    initialValues: { agentId, name: '' },
    schema,
    submit: async (values) => {
      await creation.create({ ...values, name: values.name.trim() })
      onClose()
    },
  })
  const { form, pending } = api
  return (
    <Dialog onClose={() => !pending && onClose()} size={440} title={t('create')}>
      <DialogForm api={api} submitLabel={t('create')} onCancel={onClose}>
        {chooseAgent && <LiveAgent {...form.getInputProps('agentId')} />}
        <TextInput
          label={t('newName')}
          placeholder={t('newNamePlaceholder')}
          data-autofocus={!chooseAgent || undefined}
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
      </DialogForm>
    </Dialog>
  )
}

type AgentProps = { value?: string; error?: string; onChange?: (agent: string) => void }

/** Chooses one of the live agents. */
function LiveAgent({ value, error, onChange }: AgentProps) {
  const { t } = useTranslation('exports')
  const query = useInfiniteQuery(liveAgentsQuery)
  useAllPages(query)
  const agents = query.data?.pages.flatMap((page) => page.agents.nodes) ?? []
  return (
    <>
      <Select
        label={t('createAgent')}
        data={agents.map(({ id, name }) => ({ value: id, label: name }))}
        value={value || null}
        error={error}
        onChange={(next) => onChange?.(next ?? '')}
        searchable
        data-autofocus
      />
      {query.data && agents.length === 0 && (
        <Text size="sm" c="var(--warn)">
          {t('createNoLive')}
        </Text>
      )}
    </>
  )
}
