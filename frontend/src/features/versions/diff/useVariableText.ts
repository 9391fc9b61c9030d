import { useTranslation } from 'react-i18next'
import type { Variable } from '../variables'

/** Describes a variable in one line, for example "order_id: required. The order the caller asks about". */
export function useVariableText() {
  const { t } = useTranslation('versions')
  return ({ name, description, required, defaultValue }: Variable): string => {
    const kind = required ? 'required' : defaultValue ? 'default' : 'empty'
    const line = t(`variable.${kind}`, { name, value: oneLine(defaultValue ?? '') })
    return description ? t('variable.described', { line, description: oneLine(description) }) : line
  }
}

/** Line breaks stay visible: two values may differ in nothing else. */
const oneLine = (text: string) => text.replaceAll('\n', ' ↵ ')
