import { useTranslation } from 'react-i18next'
import { Page } from '@/shared/ui'
import { SaveUsage, UsageView } from './UsageView'

/** What is used, by whom, at what price and how fast. */
export function UsagePage() {
  const { t } = useTranslation('usage')
  return (
    <Page title={t('title')} description={t('description')} actions={<SaveUsage />}>
      <UsageView />
    </Page>
  )
}
