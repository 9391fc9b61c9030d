import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './actions.module.css'
import { Folded } from './Folded'
import type { Result } from './texts'

type Props = {
  results: readonly Result[]
  /** The class of the box that they are in. */
  box?: string
}

/** The results of actions, which a caller sends instead of a message. */
export function ActionResults({ results, box }: Props) {
  const { t } = useTranslation('results')
  return (
    <section aria-label={t('results')} className={`${classes.list} ${classes.sent} ${box ?? ''}`}>
      <p className={classes.head}>{t('results')}</p>
      {results.map(({ callId, name, result, error }) => {
        const failed = error != null
        const mark = (
          <Badge size="sm" variant="light" color={failed ? 'red' : 'green'}>
            {t(failed ? 'failed' : 'returned')}
          </Badge>
        )
        return (
          <Folded
            key={callId}
            name={name}
            mark={mark}
            label={t(failed ? 'errorOf' : 'resultOf', { name })}
            text={error ?? result ?? ''}
            json={!failed}
          />
        )
      })}
    </section>
  )
}
