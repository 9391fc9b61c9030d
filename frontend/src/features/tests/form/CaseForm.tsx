import { Alert, Button, Checkbox, Group, Paper, Stack, Switch, Text, Textarea, TextInput, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Agent, Restored, useFormDraft } from '@/features/agents'
import { useMay } from '@/features/auth'
import { ApiError, gql, hasCode } from '@/shared/gql'
import { FormError, notifyDone, useApiForm } from '@/shared/ui'
import { type CaseValues, caseSchema, documentOf, problemAt } from '../document'
import { CreateTestCaseDocument, refreshTests, UpdateTestCaseDocument } from '../queries'
import { ChecksFields } from './ChecksFields'
import { HistoryFields } from './HistoryFields'
import { ResultsFields } from './ResultsFields'
import { ValuesFields } from './ValuesFields'

type Props = {
  agent: Agent
  title: string
  /** Identifies the form within the agent, to keep unsaved input. */
  form: string
  initial: CaseValues
  /** The turn that a new case is made from. */
  turnId?: string
  /** The case that the form replaces, and whether it is deleted with its conversation. */
  replaced?: { id: string; linked: boolean }
}

/** All fields of a test case. Viewers read them. */
export function CaseForm({ agent, title, form: name, initial, turnId, replaced }: Props) {
  const { t } = useTranslation(['tests', 'common'])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const may = useMay('EDITOR')
  const draft = useFormDraft<CaseValues>(agent.id, name, caseSchema, initial)
  const [keep, setKeep] = useState(false)
  const leave = () => {
    draft.drop()
    return navigate({ to: '/agents/$id/tests', params: { id: agent.id } })
  }
  const api = useApiForm<CaseValues>({
    initialValues: draft.values,
    schema: caseSchema,
    submit: async (values) => {
      const document = documentOf(values)
      await atFields<unknown>(
        replaced
          ? gql(UpdateTestCaseDocument, { input: { id: replaced.id, document, keep: keep || undefined } })
          : gql(CreateTestCaseDocument, { input: { agentId: agent.id, document, turnId } }),
        values,
      )
      await leave()
      void refreshTests(queryClient)
      void notifyDone(t('saved'))
    },
  })
  const { form } = api
  useEffect(() => {
    if (may) draft.keep(form.values)
  }, [may, draft, form.values])
  return (
    <Paper p="md" component="section" aria-label={title}>
      <form onSubmit={api.onSubmit} noValidate>
        <Stack gap="md" maw={800}>
          <Title order={2}>{title}</Title>
          {draft.restored && <Restored />}
          {(turnId || replaced?.linked) && <Linked keep={keep} onKeep={replaced && may ? setKeep : undefined} />}
          <fieldset disabled={!may} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
            <Stack gap="lg">
              <TextInput label={t('name')} description={t('nameHelp')} {...form.getInputProps('name')} />
              <HistoryFields form={form} />
              <Textarea label={t('message')} autosize minRows={2} maxRows={12} {...form.getInputProps('message')} />
              <ValuesFields form={form} names={agent.variables.map(({ name }) => name)} />
              <ResultsFields form={form} names={agent.actions.map(({ name }) => name)} />
              <ChecksFields form={form} actions={agent.actions.map(({ name }) => name)} />
              <Switch label={t('enabled')} {...form.getInputProps('enabled', { type: 'checkbox' })} />
            </Stack>
          </fieldset>
          {may && (
            <>
              <FormError error={api.error} onClose={api.clearError} />
              <Group justify="flex-end" gap="xs">
                <Button variant="default" onClick={() => void leave()} disabled={api.pending}>
                  {t('common:cancel')}
                </Button>
                <Button type="submit" loading={api.pending}>
                  {t('save')}
                </Button>
              </Group>
            </>
          )}
        </Stack>
      </form>
    </Paper>
  )
}

/** Says that a case is deleted with its conversation. Editors who have removed personal data can keep it. */
function Linked({ keep, onKeep }: { keep: boolean; onKeep: ((keep: boolean) => void) | undefined }) {
  const { t } = useTranslation('tests')
  return (
    <Alert title={t('linked')} py="xs">
      <Stack gap="xs">
        <Text size="sm">{t('linkedText')}</Text>
        {onKeep && (
          <Checkbox label={t('keep')} checked={keep} onChange={({ currentTarget }) => onKeep(currentTarget.checked)} />
        )}
      </Stack>
    </Alert>
  )
}

/** Finds the form field for a problem that the service reports with the document. */
async function atFields<T>(request: Promise<T>, values: CaseValues): Promise<T> {
  try {
    return await request
  } catch (error) {
    if (!hasCode(error, 'BAD_USER_INPUT')) throw error
    const fields = error.fields.map((field) => ({ ...field, ...problemAt(field.message, values) }))
    throw new ApiError(error.code, error.message, { requestId: error.requestId, fields, cause: error })
  }
}
