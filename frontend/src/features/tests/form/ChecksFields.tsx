import { Checkbox, Group, NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type CheckType, canInvert, checkTypes, limits, newCheck } from '../document'
import type { CaseFormApi } from './api'
import { CheckFields } from './CheckFields'
import { Rows } from './Rows'

/** The checks of the reply. */
export function ChecksFields({ form, actions }: { form: CaseFormApi; actions: string[] }) {
  const { t } = useTranslation('tests')
  return (
    <Rows
      form={form}
      field="checks"
      title={t('checks')}
      help={t('checksHelp')}
      addLabel={t('addCheck')}
      most={limits.checks}
      blank={newCheck}
      first="type"
      nameOf={(at) => t('check', { number: at + 1 })}
    >
      {(check, path) => (
        <>
          <Group gap="sm" align="flex-end">
            <NativeSelect
              label={t('type')}
              data={checkTypes.map((value) => ({ value, label: t(`types.${value}`) }))}
              {...form.getInputProps(`${path}.type`)}
              onChange={({ currentTarget: { value } }) => {
                form.clearErrors()
                form.setFieldValue(`${path}.type`, value as CheckType)
              }}
            />
            {canInvert(check.type) && (
              <Checkbox label={t('not')} mb={8} {...form.getInputProps(`${path}.not`, { type: 'checkbox' })} />
            )}
          </Group>
          <CheckFields form={form} path={path} check={check} actions={actions} />
        </>
      )}
    </Rows>
  )
}
