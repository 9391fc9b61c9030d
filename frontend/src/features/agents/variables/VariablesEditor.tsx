import { Button, Input, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { namesIn, placeholder } from '@/features/versions'
import type { AgentValues } from '../agentValues'
import { maxVariables, newVariable } from '../variableValues'
import { VariableRow } from './VariableRow'

/** The variables of the instructions, which each message gives values. */
export function VariablesEditor({ form }: { form: UseFormReturnType<AgentValues> }) {
  const { t } = useTranslation('variables')
  const may = useMay('EDITOR')
  const { instructions, variables } = form.values
  const addButton = useRef<HTMLButtonElement>(null)
  const [added, setAdded] = useState(0)
  const full = variables.length >= maxVariables
  const used = namesIn(instructions)
  const unused = may ? variables.map(({ name }) => name).filter((name) => name !== '' && !used.includes(name)) : []
  // Once the new row is there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when one is added
  useEffect(() => {
    if (added > 0) form.getInputNode(`variables.${variables.length - 1}.name`)?.focus()
  }, [added])

  const add = () => {
    form.insertListItem('variables', newVariable())
    setAdded(added + 1)
  }
  const remove = (at: number) => {
    form.removeListItem('variables', at)
    // The pressed button disappears if it was the last: the focus must not get lost.
    if (at === variables.length - 1) addButton.current?.focus()
  }
  return (
    <Stack gap="xs" component="section" aria-label={t('title')}>
      <Input.Description>{t('help', { example: placeholder('order_id') })}</Input.Description>
      {variables.map((variable, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has nothing else that stays while its name is typed
        <VariableRow key={at} form={form} at={at} variable={variable} onRemove={() => remove(at)} />
      ))}
      {unused.length > 0 && (
        <Text size="sm" c="dimmed" role="status" className="panel-user-text">
          {t('unused', { names: unused.join(', ') })}
        </Text>
      )}
      {form.errors.variables && <Input.Error role="alert">{form.errors.variables}</Input.Error>}
      <Button
        ref={addButton}
        variant="default"
        size="xs"
        w="fit-content"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={full}
        onClick={add}
      >
        {t('add')}
      </Button>
      {full && <Input.Description>{t('most', { count: maxVariables })}</Input.Description>}
    </Stack>
  )
}
