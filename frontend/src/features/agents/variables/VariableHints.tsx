import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { namesIn } from '@/features/versions'
import type { VariableValues } from '../variableValues'

/** The largest number of undeclared names shown. */
const shownAtMost = 5

type Props = {
  instructions: string
  variables: VariableValues[]
  /** Undefined while no more variables can be added. */
  onAdd?: (name: string) => void
}

/** Points out where the instructions and the declared variables do not match. */
export function VariableHints({ instructions, variables, onAdd }: Props) {
  const { t } = useTranslation('variables')
  const used = namesIn(instructions)
  const declared = variables.map(({ name }) => name)
  const undeclared = used.filter((name) => !declared.includes(name))
  const unused = declared.filter((name) => name !== '' && !used.includes(name))
  return (
    <Stack gap={4} role="status">
      {undeclared.slice(0, shownAtMost).map((name) => (
        <Group key={name} gap="xs">
          <Text size="sm" c="var(--warn)" className="panel-user-text">
            {t('undeclared', { name: `{{${name}}}` })}
          </Text>
          {onAdd && (
            <Button
              variant="default"
              size="compact-xs"
              aria-label={t('declareNamed', { name })}
              onClick={() => onAdd(name)}
            >
              {t('declare')}
            </Button>
          )}
        </Group>
      ))}
      {undeclared.length > shownAtMost && (
        <Text size="sm">{t('moreUndeclared', { count: undeclared.length - shownAtMost })}</Text>
      )}
      {unused.length > 0 && (
        <Text size="sm" c="dimmed" className="panel-user-text">
          {t('unused', { names: unused.join(', ') })}
        </Text>
      )}
    </Stack>
  )
}
