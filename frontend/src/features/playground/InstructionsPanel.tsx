import { Text, Title } from '@mantine/core'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import {
  type Agent,
  ChangedElsewhere,
  FormFoot,
  InstructionsEditor,
  maxInstructions,
  useAgentEdit,
} from '@/features/agents'
import { atMost } from '@/shared/ui'
import classes from './Playground.module.css'

const schema = z.object({ instructions: z.string().check(atMost(maxInstructions)) })
const valuesOf = ({ instructions }: Agent) => ({ instructions })
const inputOf = (changed: { instructions?: string }) => changed

type Props = {
  agent: Agent
  version?: number
  /** The form's ID, for buttons elsewhere that save it. */
  formId: string
  onDirty: (dirty: boolean) => void
}

/** The draft's instructions, to read and change beside the conversation. */
export function InstructionsPanel({ agent, version, formId, onDirty }: Props) {
  const { t } = useTranslation('playground')
  const edit = useAgentEdit({ agent, form: 'instructions', valuesOf, inputOf, schema })
  const { dirty } = edit
  useEffect(() => {
    onDirty(dirty)
    return () => onDirty(false)
  }, [dirty, onDirty])
  const declared = useMemo(() => agent.variables.map(({ name }) => name), [agent.variables])
  return (
    <form id={formId} onSubmit={edit.onSubmit} noValidate className={classes.form}>
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
      <ChangedElsewhere edit={edit} labels={{ instructions: t('instructions') }} />
      <FormFoot edit={edit} live={agent.state === 'LIVE'} onDiscard={edit.discard} />
    </form>
  )
}
