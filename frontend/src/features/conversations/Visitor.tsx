import { useTranslation } from 'react-i18next'
import classes from './Conversations.module.css'

/** The name of a conversation without a user ID. */
export function Visitor({ session }: { session: string }) {
  const { t } = useTranslation('conversations')
  return (
    <>
      {t('visitor')} <span className={classes.session}>{session}</span>
    </>
  )
}
