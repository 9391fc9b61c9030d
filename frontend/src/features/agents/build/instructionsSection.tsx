import { Text } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { leftovers } from '@/features/versions'
import { formatNumber } from '@/shared/format'
import { maxInstructions } from '../queries'
import { SaveState } from '../saving/SaveState'
import { Undeclared } from '../variables/Undeclared'
import classes from './BuildForm.module.css'
import type { BuildSection, SectionProps } from './buildSection'
import { FullScreenButton, useFullScreen } from './fullScreen'
import { InstructionsEditor } from './InstructionsEditor'

/** What the agent is told with every message. */
export const instructionsSection: BuildSection = {
  id: 'instructions',
  fields: ['instructions'],
  isEmpty: ({ instructions }) => instructions.trim() === '',
  State: FirstLine,
  useProblem: useToReplace,
  Editor,
}

function FirstLine({ form }: SectionProps) {
  const { t } = useTranslation('agents')
  return /\S.*/.exec(form.values.instructions)?.[0] ?? t('noInstructions')
}

/** In which lines something was left to be replaced. */
function useToReplace({ form }: SectionProps) {
  const { t } = useTranslation('agents')
  const lines = [...new Set(leftovers(form.values.instructions).map(({ line }) => line))]
  if (lines.length === 0) return undefined
  return t('toReplace', { count: lines.length, lines: lines.slice(0, 5).join(', ') })
}

function Editor({ agent, form }: SectionProps) {
  const { t } = useTranslation('agents')
  const may = useMay('EDITOR')
  const field = useRef<HTMLTextAreaElement>(null)
  const { full, toggle } = useFullScreen(may)
  const { instructions, variables } = form.values
  return (
    <div className={full ? classes.full : undefined}>
      <div className={`${classes.hint} panel-numbers`}>
        <Text span inherit style={{ flex: 1 }}>
          {t('instructionsHelp')}
        </Text>
        {full && <SaveState agentId={agent.id} />}
        <span>
          {t('length', { used: formatNumber([...instructions].length), most: formatNumber(maxInstructions) })}
        </span>
        <FullScreenButton full={full} onClick={toggle} />
      </div>
      <InstructionsEditor
        ref={field}
        aria-labelledby="build-instructions-title"
        text={instructions}
        full={full}
        declared={variables.map(({ name }) => name)}
        placeholder={may ? t('instructionsPlaceholder') : undefined}
        key={form.key('instructions')}
        {...form.getInputProps('instructions')}
      />
      {may && <Undeclared form={form} onDeclared={() => field.current?.focus()} />}
    </div>
  )
}
