import { useTranslation } from 'react-i18next'
import type { KnowledgeUseQuery } from '@/gql/graphql'
import { formatBytes, formatNumber } from '@/shared/format'
import classes from './Knowledge.module.css'

/** The usage of an agent's knowledge limits. */
export function KnowledgeUsage({ use }: { use: NonNullable<KnowledgeUseQuery['agent']>['knowledgeUse'] }) {
  const { t } = useTranslation('knowledge')
  const amount = (used: number, most: number, format = formatNumber) => ({ used: format(used), most: format(most) })
  return (
    <section aria-label={t('use')} className={`${classes.facts} panel-numbers`}>
      <span>{t('useSources', amount(use.sources, use.maxSources))}</span>
      <span>{t('usePassages', amount(use.passages, use.maxPassages))}</span>
      <span>{t('useBytes', amount(use.bytes, use.maxBytes, formatBytes))}</span>
      <span>{t('useHelp')}</span>
    </section>
  )
}
