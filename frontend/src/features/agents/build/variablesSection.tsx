import { useTranslation } from 'react-i18next'
import { VariablesEditor } from '../variables/VariablesEditor'
import type { BuildSection, SectionProps } from './buildSection'

/** What each message brings along for the instructions. */
export const variablesSection: BuildSection = {
  id: 'variables',
  fields: ['variables'],
  isEmpty: ({ variables }) => variables.length === 0,
  State: Names,
  Editor: ({ form }) => <VariablesEditor form={form} />,
}

function Names({ form }: SectionProps) {
  const { t } = useTranslation('agents')
  const names = form.values.variables.map(({ name }) => name)
  return names.filter(Boolean).join(', ') || t('none')
}
