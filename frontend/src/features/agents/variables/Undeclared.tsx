import { Button, Group, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { undeclaredIn } from '@/features/versions'
import type { AgentValues } from '../agentValues'
import { maxVariables, newVariable } from '../variableValues'

/** The largest number of undeclared names shown. */
const shownAtMost = 5

type Props = {
  form: UseFormReturnType<AgentValues>
  /** Called when one was declared: its button, which had the focus, is gone. */
  onDeclared: () => void
}

/** The names that the instructions use without a variable of that name, each with a button that declares it. */
export function Undeclared({ form, onDeclared }: Props) {
  const { t } = useTranslation('variables')
  const { instructions, variables } = form.values
  const names = undeclaredIn(instructions, variables)
  const declare = (name: string) => {
    form.insertListItem('variables', newVariable(name))
    onDeclared()
  }
  return (
    <Stack gap={4} role="status">
      {names.slice(0, shownAtMost).map((name) => (
        <Group key={name} gap="xs" mt={4}>
          <Text size="sm" c="var(--warn)" className="panel-user-text">
            {t('undeclared', { name: `{{${name}}}` })}
          </Text>
          {variables.length < maxVariables && (
            <Button
              variant="default"
              size="compact-xs"
              aria-label={t('declareNamed', { name })}
              onClick={() => declare(name)}
            >
              {t('declare')}
            </Button>
          )}
        </Group>
      ))}
      {names.length > shownAtMost && (
        <Text size="sm">{t('moreUndeclared', { count: names.length - shownAtMost })}</Text>
      )}
    </Stack>
  )
}
