import { ActionIcon, Group, Paper, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { AgentValues } from '../agentValues'
import type { VariableValues } from '../variableValues'

type Props = {
  form: UseFormReturnType<AgentValues>
  at: number
  variable: VariableValues
  onRemove: () => void
}

/** The fields of one variable. */
export function VariableRow({ form, at, variable, onRemove }: Props) {
  const { t } = useTranslation('variables')
  const { name, required } = variable
  const path = `variables.${at}`
  const title = name ? t('variableNamed', { name }) : t('variable', { number: at + 1 })
  const defaultProps = form.getInputProps(`${path}.defaultValue`)
  return (
    <Paper p="xs" component="fieldset" m={0} miw={0} aria-label={title}>
      <Stack gap="xs">
        <Group gap="sm" align="flex-start" wrap="nowrap">
          <TextInput
            label={t('name')}
            spellCheck={false}
            autoCapitalize="none"
            style={{ flex: 1, minWidth: 0 }}
            {...form.getInputProps(`${path}.name`)}
          />
          {/* In line with the field, below its label. */}
          <Group gap="sm" wrap="nowrap" mt={20} h={32}>
            <Switch label={t('required')} {...form.getInputProps(`${path}.required`, { type: 'checkbox' })} />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={32}
              aria-label={t('remove', { name: name || at + 1 })}
              onClick={onRemove}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        </Group>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
          <TextInput label={t('meaning')} {...form.getInputProps(`${path}.description`)} />
          <Textarea
            label={t('defaultValue')}
            placeholder={t(required ? 'defaultNone' : 'defaultEmpty')}
            autosize
            minRows={1}
            maxRows={6}
            {...defaultProps}
            // What was typed comes back if it is not required after all.
            value={required ? '' : defaultProps.value}
            disabled={required}
          />
        </SimpleGrid>
      </Stack>
    </Paper>
  )
}
