import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { leftovers } from '@/features/versions'
import { formatNumber } from '@/shared/format'
import { maxInstructions } from '../queries'
import classes from './BuildForm.module.css'
import type { BuildSection, SectionProps } from './buildSection'
import { InstructionsEditor } from './InstructionsEditor'

/** What the agent is told with every message. */
export const instructionsSection: BuildSection = {
  id: 'instructions',
  fields: ['instructions'],
  State: FirstLine,
  useProblem: useToReplace,
  Editor,
}

const namesOf = ({ form }: SectionProps) => form.values.variables.map(({ name }) => name)

function FirstLine({ form }: SectionProps) {
  const { t } = useTranslation('agents')
  return /\S.*/.exec(form.values.instructions)?.[0] ?? t('noInstructions')
}

/** In which lines something was left to be replaced. */
function useToReplace(props: SectionProps) {
  const { t } = useTranslation('agents')
  const lines = [...new Set(leftovers(props.form.values.instructions, namesOf(props)).map(({ line }) => line))]
  if (lines.length === 0) return undefined
  return t('toReplace', { count: lines.length, lines: lines.slice(0, 5).join(', ') })
}

function Editor(props: SectionProps) {
  const { t } = useTranslation('agents')
  const { form } = props
  const { instructions } = form.values
  return (
    <>
      <Text size="sm" c="dimmed" className={`${classes.hint} panel-numbers`}>
        <span>{t('instructionsHelp')}</span>
        <span>
          {t('length', { used: formatNumber([...instructions].length), most: formatNumber(maxInstructions) })}
        </span>
      </Text>
      <InstructionsEditor
        aria-labelledby="build-instructions-title"
        text={instructions}
        declared={namesOf(props)}
        placeholder={t('instructionsPlaceholder')}
        key={form.key('instructions')}
        {...form.getInputProps('instructions')}
      />
    </>
  )
}
