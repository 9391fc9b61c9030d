import { useTranslation } from 'react-i18next'
import { ActionsEditor } from '../actions/ActionsEditor'
import type { BuildSection, SectionProps } from './buildSection'

/** What the model can ask callers to run. */
export const actionsSection: BuildSection = {
  id: 'actions',
  fields: ['actions'],
  isEmpty: ({ actions }) => actions.length === 0,
  State: Names,
  Editor: ({ form }) => <ActionsEditor form={form} />,
}

function Names({ form }: SectionProps) {
  const { t } = useTranslation('agents')
  const names = form.values.actions.map(({ name }) => name)
  return names.filter(Boolean).join(', ') || t('none')
}
