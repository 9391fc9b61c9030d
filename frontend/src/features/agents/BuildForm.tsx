import { Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { namesIn } from '@/features/variables'
import { leftovers, useVariableText } from '@/features/versions'
import { formatNumber } from '@/shared/format'
import { AnswerFields, Limits } from './AnswerFields'
import { type AgentValues, inputOf, schema, valuesOf } from './agentValues'
import classes from './BuildForm.module.css'
import { ChangedElsewhere } from './ChangedElsewhere'
import { Fold } from './Fold'
import { FormFoot } from './FormFoot'
import { InstructionsEditor } from './InstructionsEditor'
import { ModelFields } from './ModelFields'
import { type Agent, maxInstructions, modelsQuery } from './queries'
import { foldId, showNode } from './showNode'
import { useAgentEdit } from './useAgentEdit'
import { VariablesEditor } from './VariablesEditor'

type Props = {
  agent: Agent
  /** The form's ID, for buttons elsewhere that save it. */
  formId: string
  onDirty: (dirty: boolean) => void
}

/** Everything of an agent's draft: its instructions, then the rest in folds. */
export function BuildForm({ agent, formId, onDirty }: Props) {
  const { t } = useTranslation('agents')
  const { node } = useSearch({ strict: false })
  const edit = useAgentEdit({ agent, form: 'agent', valuesOf, inputOf, schema })
  const models = useQuery(modelsQuery).data?.models
  const { form, dirty } = edit
  const { name, description, instructions, variables, model } = form.values
  const declared = variables.map((variable) => variable.name)
  const chosen = [...(models ?? []), ...(agent.model ? [agent.model] : [])].find((one) => one.name === model)
  useEffect(() => {
    onDirty(dirty)
    return () => onDirty(false)
  }, [dirty, onDirty])
  useEffect(() => {
    if (node) showNode(node)
  }, [node])
  return (
    <form id={formId} onSubmit={edit.onSubmit} noValidate className={classes.form}>
      <div className={classes.fields}>
        <div className={classes.head}>
          <Title order={2} id="instructions-title">
            {t('instructions')}
          </Title>
          <Text size="sm" c="dimmed" className="panel-numbers">
            <ToReplace instructions={instructions} declared={declared} />
            {t('length', { used: formatNumber([...instructions].length), most: formatNumber(maxInstructions) })}
          </Text>
        </div>
        <InstructionsEditor
          aria-labelledby="instructions-title"
          text={instructions}
          declared={declared}
          placeholder={t('instructionsPlaceholder')}
          key={form.key('instructions')}
          {...form.getInputProps('instructions')}
        />
        <div className={classes.folds}>
          <Fold id={foldId.model} title={t('model')} summary={chosen?.label ?? t('noModel')}>
            <ModelFields agent={agent} form={form} />
          </Fold>
          <Fold
            id={foldId.variables}
            title={t('variables')}
            summary={<Names instructions={instructions} declared={declared} />}
          >
            <VariablesEditor form={form} />
          </Fold>
          <Fold id={foldId.answers} title={t('answers')} summary={<Limits values={form.values} />}>
            <AnswerFields form={form} />
          </Fold>
          <Fold id={foldId.name} title={t('nameAndDescription')} summary={description || name}>
            <Stack gap="md">
              <TextInput label={t('name')} key={form.key('name')} {...form.getInputProps('name')} />
              <Textarea
                label={t('descriptionLabel')}
                description={t('descriptionHelp')}
                autosize
                minRows={2}
                maxRows={6}
                key={form.key('description')}
                {...form.getInputProps('description')}
              />
            </Stack>
          </Fold>
        </div>
      </div>
      <div className={classes.foot} data-dirty={dirty || undefined}>
        <FormFoot edit={edit} live={agent.state === 'LIVE'} onDiscard={edit.discard}>
          <Conflict edit={edit} labelOf={(other) => models?.find((one) => one.name === other)?.label ?? other} />
        </FormFoot>
      </div>
    </form>
  )
}

/** In which lines something was left to be replaced. */
function ToReplace({ instructions, declared }: { instructions: string; declared: string[] }) {
  const { t } = useTranslation('agents')
  const lines = [...new Set(leftovers(instructions, declared).map(({ line }) => line))]
  return (
    <span role="status" style={{ color: 'var(--warn)' }}>
      {lines.length > 0 && `${t('toReplace', { count: lines.length, lines: lines.slice(0, 5).join(', ') })} · `}
    </span>
  )
}

/** The variables, or one that the instructions use without it being declared. */
function Names({ instructions, declared }: { instructions: string; declared: string[] }) {
  const { t } = useTranslation(['agents', 'variables'])
  const name = namesIn(instructions).find((used) => !declared.includes(used))
  if (name === undefined) return declared.filter(Boolean).join(', ') || t('none')
  return <span style={{ color: 'var(--warn)' }}>{t('undeclared', { ns: 'variables', name })}</span>
}

type ConflictProps = {
  edit: ReturnType<typeof useAgentEdit<AgentValues>>
  /** The label of a model by its name. */
  labelOf: (model: string) => string
}

/** What was changed elsewhere, in words. */
function Conflict({ edit, labelOf }: ConflictProps) {
  const { t } = useTranslation('agents')
  const textOf = useVariableText()
  const { variables, model, ...others } = edit.theirs ?? {}
  const theirs = edit.theirs && {
    ...others,
    ...(model !== undefined && { model: labelOf(model) }),
    ...(variables && { variables: variables.map(textOf).join('\n') }),
  }
  const labels = Object.fromEntries(
    Object.keys(theirs ?? {}).map((name) => [
      name,
      t(name === 'description' ? 'descriptionLabel' : (name as keyof AgentValues)),
    ]),
  ) as Record<keyof AgentValues, string>
  return <ChangedElsewhere edit={{ ...edit, theirs }} labels={labels} />
}
