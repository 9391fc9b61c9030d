import { Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { type Agent, InstructionsEditor, maxInstructions, Trouble, useAgentEdit } from '@/features/agents'
import { atMost } from '@/shared/ui'
import classes from './Playground.module.css'

const schema = z.object({ instructions: z.string().check(atMost(maxInstructions)) })
const valuesOf = ({ instructions }: Agent) => ({ instructions })
const inputOf = (changed: { instructions?: string }) => changed

type Props = {
  agent: Agent
  version?: number
}

/** The draft's instructions, to read and change beside the conversation. */
export function InstructionsPanel({ agent, version }: Props) {
  const { t } = useTranslation('playground')
  const edit = useAgentEdit({ agent, form: 'instructions', valuesOf, inputOf, schema })
  const declared = useMemo(() => agent.variables.map(({ name }) => name), [agent.variables])
  return (
    <form onSubmit={edit.onSubmit} noValidate className={classes.form}>
      <Title order={2} id="instructions-title">
        {t('instructions')}
      </Title>
      {version !== undefined && (
        <Text size="sm" c="dimmed">
          {t('instructionsOther', { number: version })}
        </Text>
      )}
      <InstructionsEditor
        aria-labelledby="instructions-title"
        text={edit.form.values.instructions}
        declared={declared}
        placeholder={t('instructionsPlaceholder')}
        key={edit.form.key('instructions')}
        {...edit.form.getInputProps('instructions')}
      />
      <Trouble edit={edit} />
    </form>
  )
}
