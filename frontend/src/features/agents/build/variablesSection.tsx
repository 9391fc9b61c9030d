import { useTranslation } from 'react-i18next'
import { namesIn } from '@/features/versions'
import { VariablesEditor } from '../variables/VariablesEditor'
import type { BuildSection, SectionProps } from './buildSection'

/** What each message brings along for the instructions. */
export const variablesSection: BuildSection = {
  id: 'variables',
  fields: ['variables'],
  State: Names,
  useProblem: useUndeclared,
  Editor: ({ form }) => <VariablesEditor form={form} />,
}

const declaredIn = ({ form }: SectionProps) => form.values.variables.map(({ name }) => name)

function Names(props: SectionProps) {
  const { t } = useTranslation('agents')
  return declaredIn(props).filter(Boolean).join(', ') || t('none')
}

/** A variable that the instructions use without it being declared. */
function useUndeclared(props: SectionProps) {
  const { t } = useTranslation('variables')
  const name = namesIn(props.form.values.instructions).find((used) => !declaredIn(props).includes(used))
  return name === undefined ? undefined : t('undeclared', { name: `{{${name}}}` })
}
