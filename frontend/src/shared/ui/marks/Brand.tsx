import { useTranslation } from 'react-i18next'

/** The product's mark and its name. */
export function Brand() {
  const { t } = useTranslation()
  return (
    <span className="panel-brand">
      <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--accent)" />
        <path
          d="M9 10h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7l-5 4v-4H9a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2z"
          fill="var(--on-accent)"
        />
      </svg>
      {t('product')}
    </span>
  )
}
