import { SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { limits } from '../document'
import type { CaseFormApi } from './api'
import { Rows } from './Rows'

/** The values of variables, with the draft's variables as suggestions. */
export function ValuesFields({ form, names }: { form: CaseFormApi; names: string[] }) {
  const { t } = useTranslation('tests')
  const list = useId()
  return (
    <Rows
      form={form}
      field="variables"
      title={t('values')}
      help={t('valuesHelp')}
      addLabel={t('addValue')}
      most={limits.variables}
      blank={() => ({ name: '', value: '' })}
      first="name"
      nameOf={(at) => t('valueNamed', { number: at + 1 })}
    >
      {(_, path) => (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
          <TextInput
            label={t('variable')}
            spellCheck={false}
            autoCapitalize="none"
            list={list}
            {...form.getInputProps(`${path}.name`)}
          />
          <Textarea label={t('value')} autosize minRows={1} maxRows={6} {...form.getInputProps(`${path}.value`)} />
          <datalist id={list}>
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </SimpleGrid>
      )}
    </Rows>
  )
}
