import { NativeSelect, Select, SimpleGrid } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import type { TestGate } from '@/gql/graphql'
import { gql } from '@/shared/gql'
import { i18n } from '@/shared/i18n'
import { agentChoicesQuery, CountField, Dialog, DialogForm, notifyDone, QueryView, useApiForm } from '@/shared/ui'
import { refreshTests } from '../queries'
import { type TestSettings, testSettingsQuery, UpdateTestSettingsDocument } from './queries'

const gates: TestGate[] = ['OFF', 'WARN', 'REQUIRE']
const maxRepeats = 5

type Values = {
  gate: TestGate
  repeats: number | string
  neededPasses: number | string
  judge: string
  tokenCreditsPerDay: number | string
}

const outOfRange = (most: number | string) => i18n.t('tests:error.range', { most })

const schema = z.custom<Values>().check(({ value, issues }) => {
  const check = (field: keyof Values, least: number, most: number) => {
    const count = value[field]
    if (typeof count === 'number' && count >= least && count <= most) return
    issues.push({ code: 'custom', input: count, path: [field], message: outOfRange(most) })
  }
  check('repeats', 1, maxRepeats)
  check('neededPasses', 1, Number(value.repeats) || maxRepeats)
  if (typeof value.tokenCreditsPerDay === 'number') return
  issues.push({ code: 'custom', input: '', path: ['tokenCreditsPerDay'], message: i18n.t('common:form.required') })
})

type Props = { agentId: string; onClose: () => void }

/** The form for the gate, the repeats, the judge and the credits of tokens. Loaded on first use. */
export default function SettingsDialog({ agentId, onClose }: Props) {
  const { t } = useTranslation('tests')
  const query = useQuery(testSettingsQuery(agentId))
  return (
    <Dialog onClose={onClose} title={t('settings.title')} size={560}>
      <QueryView query={query}>
        {({ agent }) => <Form agentId={agentId} settings={agent.tests} onClose={onClose} />}
      </QueryView>
    </Dialog>
  )
}

function Form({ agentId, settings, onClose }: Props & { settings: TestSettings }) {
  const { t } = useTranslation('tests')
  const queryClient = useQueryClient()
  const agents = useQuery(agentChoicesQuery).data ?? []
  const choices = agents.filter(({ id }) => id !== agentId).map(({ id, name }) => ({ value: id, label: name }))
  const { judge } = settings
  if (judge && choices.every(({ value }) => value !== judge.id)) choices.push({ value: judge.id, label: judge.name })
  const api = useApiForm<Values>({
    initialValues: { ...settings, judge: judge?.id ?? '' },
    schema,
    submit: async (values) => {
      const counts = {
        repeats: Number(values.repeats),
        neededPasses: Number(values.neededPasses),
        tokenCreditsPerDay: Number(values.tokenCreditsPerDay),
      }
      const input = { agentId, gate: values.gate, judge: values.judge || null, ...counts }
      await gql(UpdateTestSettingsDocument, { input })
      await refreshTests(queryClient)
      void notifyDone(t('settings.saved'))
      onClose()
    },
  })
  const { form } = api
  return (
    <DialogForm api={api} submitLabel={t('settings.save')} onCancel={onClose}>
      <NativeSelect
        label={t('settings.gate')}
        description={t(`settings.gateHelp.${form.values.gate}`)}
        data={gates.map((value) => ({ value, label: t(`settings.gates.${value}`) }))}
        data-autofocus
        {...form.getInputProps('gate')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <CountField
          label={t('settings.repeats')}
          description={t('settings.repeatsHelp')}
          {...form.getInputProps('repeats')}
        />
        <CountField
          label={t('settings.needed')}
          description={t('settings.neededHelp')}
          {...form.getInputProps('neededPasses')}
        />
      </SimpleGrid>
      <Select
        label={t('settings.judge')}
        description={t('settings.judgeHelp')}
        data={[{ value: '', label: t('settings.judgeNone') }, ...choices]}
        searchable
        allowDeselect={false}
        {...form.getInputProps('judge')}
      />
      <CountField
        label={t('settings.tokenCredits')}
        description={t('settings.tokenCreditsHelp')}
        min={0}
        {...form.getInputProps('tokenCreditsPerDay')}
      />
    </DialogForm>
  )
}
