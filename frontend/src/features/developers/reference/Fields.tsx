import { Code, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { MarkdownText } from '@/shared/markdown'
import classes from './ApiDocs.module.css'
import type { Definition } from './reference'

/** Fields or headers: the name and type of each, and below it what it is. */
export function Fields({ rows }: { rows: Definition[] }) {
  const { t } = useTranslation('apidocs')
  return (
    <dl className={classes.fields}>
      {rows.map(({ name, type, required, text }) => (
        <div key={name}>
          <dt>
            <Code>{name}</Code>{' '}
            <Text span size="xs" c="dimmed">
              {[type, required && t('required')].filter(Boolean).join(', ')}
            </Text>
          </dt>
          <dd>
            <MarkdownText text={text} blockLabel={name} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
