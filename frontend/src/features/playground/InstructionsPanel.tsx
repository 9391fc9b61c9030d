import { Text, Textarea, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { type Agent, ChangedElsewhere, FormFoot, maxInstructions, useAgentEdit } from '@/features/agents'
import { atMost } from '@/shared/ui'
import classes from './Playground.module.css'

const schema = z.object({ instructions: z.string().check(atMost(maxInstructions)) })
const valuesOf = ({ instructions }: Agent) => ({ instructions })
const inputOf = (changed: { instructions?: string }) => changed

/** The draft's instructions, to read and change beside the conversation. */
export function InstructionsPanel({ agent, version }: { agent: Agent; version?: number }) {
  const { t } = useTranslation('playground')
  const edit = useAgentEdit({ agent, form: 'instructions', valuesOf, inputOf, schema })
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
      <Textarea
        aria-labelledby="instructions-title"
        classNames={{ root: classes.editor, wrapper: classes.editorWrapper }}
        styles={{ input: { overflowWrap: 'anywhere' } }}
        placeholder={t('instructionsPlaceholder')}
        key={edit.form.key('instructions')}
        {...edit.form.getInputProps('instructions')}
      />
      <ChangedElsewhere edit={edit} labels={{ instructions: t('instructions') }} />
      <FormFoot edit={edit} live={agent.state === 'COMPLETED'} onDiscard={edit.discard} />
    </form>
  )
}
