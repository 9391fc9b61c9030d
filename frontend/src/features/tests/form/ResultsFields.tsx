import { SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { limits } from '../document'
import type { CaseFormApi } from './api'
import { Rows } from './Rows'

/** The results of the draft's actions in the test. */
export function ResultsFields({ form, names }: { form: CaseFormApi; names: string[] }) {
  const { t } = useTranslation('tests')
  const list = useId()
  return (
    <Rows
      form={form}
      field="results"
      title={t('results')}
      help={t('resultsHelp')}
      addLabel={t('addResult')}
      most={limits.results}
      blank={() => ({ name: '', fails: false, text: '' })}
      first="name"
      nameOf={(at) => t('result', { number: at + 1 })}
    >
      {({ fails }, path) => (
        <>
          <TextInput
            label={t('action')}
            spellCheck={false}
            autoCapitalize="none"
            list={list}
            {...form.getInputProps(`${path}.name`)}
          />
          <SegmentedControl
            size="xs"
            w="fit-content"
            aria-label={t('outcome')}
            data={[
              { value: 'returns', label: t('returns') },
              { value: 'fails', label: t('fails') },
            ]}
            value={fails ? 'fails' : 'returns'}
            onChange={(value) => form.setFieldValue(`${path}.fails`, value === 'fails')}
          />
          <Textarea
            label={t(fails ? 'resultError' : 'resultJson')}
            spellCheck={fails}
            autosize
            minRows={1}
            maxRows={8}
            {...form.getInputProps(`${path}.text`)}
          />
          <datalist id={list}>
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Rows>
  )
}
