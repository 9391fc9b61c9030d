import { ActionIcon, Button, Checkbox, NativeSelect, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AgentValues } from '../agentValues'
import classes from './Actions.module.css'
import { type ArgumentRow, argumentTypes, newArgument } from './argumentRows'

type Props = { form: UseFormReturnType<AgentValues>; path: string; rows: ArgumentRow[] }

/** The arguments of an action, one in a row. */
export function ArgumentsTable({ form, path, rows }: Props) {
  const { t } = useTranslation('actions')
  const [added, setAdded] = useState(0)
  const addButton = useRef<HTMLButtonElement>(null)
  // Once the new row is there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when one is added
  useEffect(() => {
    if (added > 0) form.getInputNode(`${path}.${rows.length - 1}.name`)?.focus()
  }, [added])

  const remove = (at: number) => {
    form.removeListItem(path, at)
    // The pressed button disappears if it was the last: the focus must not get lost.
    if (at === rows.length - 1) addButton.current?.focus()
  }
  return (
    <div className={classes.arguments}>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noArguments')}
        </Text>
      ) : (
        <div className={classes.head} aria-hidden>
          <span>{t('argumentName')}</span>
          <span>{t('argumentType')}</span>
          <span>{t('required')}</span>
          <span>{t('argumentMeaning')}</span>
        </div>
      )}
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has nothing else that stays while its name is typed
        <Row key={at} form={form} path={`${path}.${at}`} row={row} number={at + 1} onRemove={() => remove(at)} />
      ))}
      <Button
        ref={addButton}
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => {
          form.insertListItem(path, newArgument())
          setAdded(added + 1)
        }}
      >
        {t('addArgument')}
      </Button>
    </div>
  )
}

type RowProps = {
  form: UseFormReturnType<AgentValues>
  path: string
  row: ArgumentRow
  number: number
  onRemove: () => void
}

function Row({ form, path, row: { name }, number, onRemove }: RowProps) {
  const { t } = useTranslation('actions')
  return (
    <fieldset className={classes.argument} aria-label={name ? t('argumentNamed', { name }) : t('argument', { number })}>
      <TextInput
        aria-label={t('argumentName')}
        placeholder={t('argumentName')}
        classNames={{ input: classes.code }}
        spellCheck={false}
        autoCapitalize="none"
        {...form.getInputProps(`${path}.name`)}
      />
      <NativeSelect
        aria-label={t('argumentType')}
        data={argumentTypes.map((value) => ({ value, label: t(`type.${value}`) }))}
        {...form.getInputProps(`${path}.type`)}
      />
      <Checkbox
        className={classes.required}
        label={t('required')}
        {...form.getInputProps(`${path}.required`, { type: 'checkbox' })}
      />
      <TextInput
        aria-label={t('argumentMeaning')}
        placeholder={t('argumentMeaning')}
        {...form.getInputProps(`${path}.description`)}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('removeArgument', { name: name || number })}
        onClick={onRemove}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </fieldset>
  )
}
