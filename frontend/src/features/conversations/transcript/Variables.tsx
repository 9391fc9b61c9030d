import { Code, Text } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { LongText, PlainText } from '@/shared/markdown'
import classes from '../Conversations.module.css'
import type { Turn } from '../queries'

/** How much of a value is shown at first. */
const shownAtFirst = 200

/** The values that a message gave for the variables of the instructions. */
export function Variables({ variables }: Pick<Turn, 'variables'>) {
  const { t } = useTranslation('conversations')
  const label = useId()
  if (variables.length === 0) return null
  return (
    <div>
      <Text size="xs" c="dimmed" id={label}>
        {t('variables')}
      </Text>
      <dl aria-labelledby={label} className={classes.variables}>
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
    </div>
  )
}
