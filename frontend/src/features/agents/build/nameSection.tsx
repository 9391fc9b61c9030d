import { Stack, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { BuildSection, SectionProps } from './buildSection'

/** The agent's name and description. */
export const nameSection: BuildSection = {
  id: 'name',
  fields: ['name', 'description'],
  isEmpty: ({ description }) => description === '',
  State: ({ form: { values } }) => values.description || values.name,
  Editor,
}

function Editor({ form }: SectionProps) {
  const { t } = useTranslation('agents')
  return (
    <Stack gap="md">
      <TextInput label={t('name')} key={form.key('name')} {...form.getInputProps('name')} />
      <Textarea
        label={t('descriptionLabel')}
        description={t('descriptionHelp')}
        autosize
        minRows={2}
        maxRows={6}
        key={form.key('description')}
        {...form.getInputProps('description')}
      />
    </Stack>
  )
}
