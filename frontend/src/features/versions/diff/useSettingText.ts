import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import type { Content, Setting } from '../queries'
import { settingOf } from './content'

/** Words a setting for its reader. */
export function useSettingText() {
  const { t } = useTranslation('versions')
  return (content: Content, setting: Setting): string => {
    if (setting === 'model') return content.model?.label ?? content.modelName ?? t('noModel')
    if (setting === 'fallbackModel')
      return content.fallbackModel?.label ?? content.fallbackModelName ?? t('noFallbackModel')
    const value = settingOf(content, setting)
    return typeof value === 'number' ? formatNumber(value) : t('modelDefault')
  }
}
