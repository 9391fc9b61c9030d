import { SegmentedControl, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { indent, PlainText } from '@/shared/markdown'
import { exampleReplyQuery } from '../queries'
import classes from './BuildForm.module.css'
import type { BuildSection, SectionProps } from './buildSection'

/** Whether the agent replies in text, or in JSON that fits a schema. */
export const replyFormatSection: BuildSection = {
  id: 'replyFormat',
  fields: ['replySchema'],
  isEmpty: ({ replySchema }) => replySchema === '',
  State: Format,
  Editor,
}

/** What a new schema begins as. */
const first = `{
  "type": "object",
  "properties": {
    "answer": { "type": "string" }
  },
  "required": ["answer"],
  "additionalProperties": false
}`

function Format({ form }: SectionProps) {
  const { t } = useTranslation('agents')
  const { replySchema } = form.values
  if (!replySchema) return t('replyFormat.text')
  const count = propertiesOf(replySchema)
  return count === undefined ? t('replyFormat.json') : t('replyFormat.properties', { count })
}

/** How many properties a schema has; undefined while it is no such thing. */
function propertiesOf(schema: string): number | undefined {
  try {
    return Object.keys((JSON.parse(schema) as { properties?: object }).properties ?? {}).length
  } catch {
    return undefined
  }
}

function Editor({ agent, form }: SectionProps) {
  const { t } = useTranslation('agents')
  const { replySchema } = form.values
  const left = useRef(first)
  const [chosen, setChosen] = useState(replySchema ? 'json' : 'text')
  // An owner who has deleted all of a schema may be about to paste another.
  const format = replySchema ? 'json' : chosen
  const choose = (format: string) => {
    setChosen(format)
    if (format === 'text' && replySchema) left.current = replySchema
    form.setFieldValue('replySchema', format === 'text' ? '' : left.current)
  }
  return (
    <Stack gap="sm">
      <div className={classes.format}>
        <SegmentedControl
          aria-label={t('section.replyFormat')}
          value={format}
          onChange={choose}
          data={[
            { value: 'text', label: t('replyFormat.text') },
            { value: 'json', label: t('replyFormat.json') },
          ]}
        />
        <Text size="sm" c="dimmed">
          {t(format === 'json' ? 'replyFormat.help' : 'replyFormat.textHelp')}
        </Text>
      </div>
      {format === 'json' && (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Textarea
            label={t('replyFormat.schema')}
            description={t('replyFormat.schemaHelp')}
            classNames={{ input: classes.code }}
            spellCheck={false}
            autosize
            minRows={8}
            maxRows={24}
            key={form.key('replySchema')}
            {...form.getInputProps('replySchema')}
          />
          <Example schema={agent.replySchema ?? ''} />
        </SimpleGrid>
      )}
    </Stack>
  )
}

/** A reply that fits the schema as it was saved, and what of the schema is not checked. */
function Example({ schema }: { schema: string }) {
  const { t } = useTranslation('agents')
  const { data } = useQuery({ ...exampleReplyQuery(schema), enabled: schema !== '' })
  return (
    <section aria-label={t('replyFormat.example')}>
      <Text size="sm" fw={500}>
        {t('replyFormat.example')}
      </Text>
      {data?.exampleReply == null ? (
        <Text size="sm" c="dimmed">
          {t(data ? 'replyFormat.noExample' : 'replyFormat.exampleLater')}
        </Text>
      ) : (
        <div className={classes.example}>
          <PlainText text={indent(data.exampleReply)} exact />
        </div>
      )}
      {data !== undefined && data.schemaNotes.length > 0 && (
        <Text size="sm" c="dimmed" className="panel-user-text">
          {t('replyFormat.notChecked', { list: data.schemaNotes.map(({ path }) => path).join(', ') })}
        </Text>
      )}
    </section>
  )
}
