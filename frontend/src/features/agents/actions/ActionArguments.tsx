import { Input, SegmentedControl, Text, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { AgentValues } from '../agentValues'
import { filled } from '../formRows'
import classes from './Actions.module.css'
import { ArgumentsTable } from './ArgumentsTable'
import type { ActionValues } from './actionValues'
import { rowsOf, schemaOf } from './argumentRows'

type Props = { form: UseFormReturnType<AgentValues>; path: string; action: ActionValues }

/** The arguments of an action, as a table or as the schema that it writes. */
export function ActionArguments({ form, path, action }: Props) {
  const { t } = useTranslation('actions')
  const { name, parameters, rows } = action
  const fitting = rows ?? rowsOf(parameters)
  const { error, ...props } = form.getInputProps(`${path}.parameters`)
  // Both say the same, so an error of the service stays.
  const choose = (how: string) =>
    form.setFieldValue(path, {
      ...action,
      parameters: rows ? schemaOf(filled(rows), parameters) : parameters,
      rows: how === 'table' ? fitting : undefined,
    })
  return (
    <section aria-label={name ? t('argumentsOf', { name }) : t('arguments')}>
      <div className={classes.how}>
        <Text size="sm" fw={500}>
          {t('arguments')}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t('form')}
          value={rows ? 'table' : 'schema'}
          onChange={choose}
          data={[
            { value: 'table', label: t('table'), disabled: !fitting },
            { value: 'schema', label: t('schema') },
          ]}
        />
        {!fitting && (
          <Text size="sm" c="dimmed">
            {t('moreThanTable')}
          </Text>
        )}
      </div>
      {rows ? (
        <>
          <ArgumentsTable form={form} path={`${path}.rows`} rows={rows} />
          {error && <Input.Error role="alert">{error}</Input.Error>}
        </>
      ) : (
        <Textarea
          aria-label={t('schema')}
          description={t('schemaHelp')}
          classNames={{ input: classes.code }}
          spellCheck={false}
          autosize
          minRows={6}
          maxRows={24}
          error={error}
          {...props}
        />
      )}
    </section>
  )
}
