import { ActionIcon, Group, Stack, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconAlertCircle, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { AgentValues } from '../agentValues'
import { ActionArguments } from './ActionArguments'
import classes from './Actions.module.css'
import type { ActionValues } from './actionValues'

type Props = {
  form: UseFormReturnType<AgentValues>
  at: number
  action: ActionValues
  /** Whether the action violates the form's rules. */
  invalid: boolean
  open: boolean
  onToggle: (open: boolean) => void
  onRemove: () => void
}

/** One action: a line with its name and description, and its fields. */
export function ActionFold({ form, at, action, invalid, open, onToggle, onRemove }: Props) {
  const { t } = useTranslation('actions')
  const { name, description } = action
  const path = `actions.${at}`
  const error = Object.entries(form.errors).find(([field]) => field.startsWith(`${path}.`))?.[1]
  return (
    <details
      className={classes.action}
      aria-label={name ? t('actionNamed', { name }) : t('action', { number: at + 1 })}
      open={open}
      onToggle={({ currentTarget, target }) => target === currentTarget && onToggle(currentTarget.open)}
    >
      <summary>
        <span className={`${classes.name} panel-user-text`}>{name || t('unnamed')}</span>{' '}
        {error && !open ? (
          <span className={classes.error}>
            <IconAlertCircle size={14} aria-hidden /> <span>{error}</span>
          </span>
        ) : (
          <span className={`${classes.meaning} panel-user-text`}>{description}</span>
        )}
      </summary>
      {/* Rendering many fields is slow. A closed fold renders them only if one is invalid, so that it can get the focus. */}
      {(open || invalid || error) && (
        <Stack gap="sm" className={classes.fields}>
          <Group gap="sm" align="flex-start" wrap="nowrap">
            <TextInput
              label={t('name')}
              description={t('nameHelp')}
              classNames={{ input: classes.code }}
              spellCheck={false}
              autoCapitalize="none"
              style={{ flex: 1, minWidth: 0 }}
              {...form.getInputProps(`${path}.name`)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t('remove', { name: name || at + 1 })}
              onClick={onRemove}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
          <Textarea
            label={t('meaning')}
            description={t('meaningHelp')}
            autosize
            minRows={2}
            maxRows={8}
            {...form.getInputProps(`${path}.description`)}
          />
          <ActionArguments form={form} path={path} action={action} />
        </Stack>
      )}
    </details>
  )
}
