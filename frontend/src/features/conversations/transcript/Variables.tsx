import { Code } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { LongText, PlainText } from '@/shared/markdown'
import type { Turn } from '../queries'
import classes from './Transcript.module.css'

/** How much of a value is shown at first. */
const shownAtFirst = 200

/** The values that a message gave for the variables of the instructions. */
export function Variables({ variables }: Pick<Turn, 'variables'>) {
  const { t } = useTranslation('conversations')
  if (variables.length === 0) return null
  return (
    <details className={classes.more}>
      <summary>{t('variables')}</summary>
      <dl aria-label={t('variables')} className={classes.variables}>
        {variables.map(({ name, value }) => (
          <div key={name}>
            <dt>
              <Code className="panel-user-text">{name}</Code>
            </dt>
            <dd>
              <LongText text={value} most={shownAtFirst}>
                {(text) => <PlainText text={text || t('emptyValue')} />}
              </LongText>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
