import { useTranslation } from 'react-i18next'
import classes from './knowledge.module.css'

/** After the name of its source, where in it a passage stands: the headings over it, and its page. */
export function Place({ passage: { heading, page } }: { passage: { heading?: string | null; page?: number | null } }) {
  const { t } = useTranslation('knowledge')
  if (!heading && page == null) return null
  return (
    <span className={classes.place}>
      {heading && (
        <>
          · <span className="panel-user-text">{heading}</span>
        </>
      )}
      {heading && page != null && ' '}
      {page != null && `· ${t('page', { page })}`}
    </span>
  )
}
