import { Alert, Radio, Select, Stack, Text } from '@mantine/core'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { modelsQuery, saveDraft } from '@/features/agents'
import { VersionSelect } from '@/features/versions'
import type { StartTestRunInput } from '@/gql/graphql'
import { formatNumber } from '@/shared/format'
import { gql, newRequestId } from '@/shared/gql'
import { i18n } from '@/shared/i18n'
import { CountField, Dialog, DialogForm, errorText, notifyError, useApiForm } from '@/shared/ui'
import { refreshRuns, StartTestRunDocument, testRunPriceQuery } from './queries'
import { inputsOf, priceOf, type RunValues, subjectsOf } from './starting'

export type RunTarget = {
  agentId: string
  /** The number of the live version, if there is one. */
  published: number | undefined
  /** The ids of the cases; all enabled cases by default. */
  cases?: string[]
}

type Props = {
  target: RunTarget
  /** Called with the ids of the run, and of the one to compare it with. */
  onStarted: (id: string, against?: string) => void
  onClose: () => void
}

const schema = z.custom<RunValues>().check(({ value: { budget }, issues }) => {
  if (budget === '' || (typeof budget === 'number' && budget >= 0)) return
  issues.push({ code: 'custom', input: budget, path: ['budget'], message: i18n.t('tests:error.budget') })
})

/** Asks what to test, shows the price, and starts one or two runs. Loaded on first use. */
export default function RunDialog({ target, onStarted, onClose }: Props) {
  const { t } = useTranslation('tests')
  const queryClient = useQueryClient()
  const { agentId, published, cases } = target
  const models = useQuery(modelsQuery).data?.models ?? []
  // After a lost response, a retry with the same values returns the run that was started.
  const [keys] = useState(() => new Map<string, string>())
  const api = useApiForm<RunValues>({
    initialValues: { subject: 'draft', version: '', model: '', budget: '' },
    schema,
    submit: async (values) => {
      await saveDraft(agentId)
      const [input, other] = inputsOf(values, target)
      const start = async (one: StartTestRunInput) => {
        const same = JSON.stringify(one)
        const idempotencyKey = keys.get(same) ?? newRequestId()
        keys.set(same, idempotencyKey)
        return (await gql(StartTestRunDocument, { input: { ...one, idempotencyKey } })).startTestRun.testRun.id
      }
      const id = input && (await start(input))
      // The second run may be refused. Then the first one is shown alone.
      const against = other && (await start(other).catch((error) => void notifyError(error)))
      await refreshRuns(queryClient)
      if (id) onStarted(id, against ?? undefined)
      onClose()
    },
  })
  const { form } = api
  const { subject, version, model } = form.values
  return (
    <Dialog onClose={() => !api.pending && onClose()} title={t('runTests')} size={560}>
      <DialogForm api={api} submitLabel={t('start')} onCancel={onClose}>
        <Text size="sm">{cases ? t('runSelected', { count: cases.length }) : t('runAll')}</Text>
        <Radio.Group label={t('subject')} {...form.getInputProps('subject')}>
          <Stack gap="xs" my="xs">
            {subjectsOf(published).map((value) => (
              <Radio key={value} value={value} label={t(`subjects.${value}`)} data-autofocus={value === 'draft'} />
            ))}
          </Stack>
        </Radio.Group>
        {subject === 'other' && (
          <>
            <VersionSelect
              agentId={agentId}
              label={t('runColumn.tested')}
              none={t('draft')}
              value={version}
              onChange={(value) => form.setFieldValue('version', value)}
            />
            <Select
              label={t('model')}
              data={[
                { value: '', label: t('ownModel') },
                ...models.filter(({ available }) => available).map(({ name, label }) => ({ value: name, label })),
              ]}
              searchable
              allowDeselect={false}
              value={model}
              onChange={(value) => form.setFieldValue('model', value ?? '')}
            />
          </>
        )}
        <CountField
          label={t(subject === 'both' ? 'budgetEach' : 'budget')}
          description={t('budgetHelp')}
          min={0}
          {...form.getInputProps('budget')}
        />
        <Price inputs={inputsOf({ ...form.values, budget: '' }, target)} />
      </DialogForm>
    </Dialog>
  )
}

/** The price of the runs, or the reason why they cannot start. */
function Price({ inputs }: { inputs: StartTestRunInput[] }) {
  const { t } = useTranslation('tests')
  const queries = useQueries({ queries: inputs.map((input) => ({ ...testRunPriceQuery(input), staleTime: 0 })) })
  const failed = queries.find(({ isError }) => isError)?.error
  if (failed) {
    return (
      <Alert color="yellow" role="alert">
        {errorText(failed)}
      </Alert>
    )
  }
  const price = priceOf(queries.map(({ data }) => data?.testRunPrice))
  return (
    <Text role="status" mih={22} fw={500}>
      {price && t(price.exact ? 'exactly' : 'atMost', { count: price.most, amount: formatNumber(price.most) })}
    </Text>
  )
}
