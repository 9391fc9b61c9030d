import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AgentValues } from '../agentValues'
import { modelsQuery } from '../queries'

/** Names the fields of an agent's form, and words their values. */
export function useFieldText() {
  const { t } = useTranslation('agents')
  const models = useQuery(modelsQuery).data?.models
  const labelOf = (field: string) => t(field === 'description' ? 'descriptionLabel' : (field as keyof AgentValues))
  const textOf = (field: string, value: unknown) => {
    if (field === 'model' || field === 'fallbackModel')
      return models?.find(({ name }) => name === value)?.label ?? (String(value) || t('noModel'))
    return value === '' ? t('emptyValue') : String(value)
  }
  return { labelOf, textOf }
}
