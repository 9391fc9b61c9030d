import { Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

const examples = ['example.help', 'example.unsure', 'example.person'] as const

/** Messages that every agent should have an answer to, to begin with. */
export function Examples({ onChoose }: { onChoose: (text: string) => void }) {
  const { t } = useTranslation('playground')
  return (
    <Stack gap={4} align="center">
      <Text size="sm" c="dimmed">
        {t('examples')}
      </Text>
      {examples.map((key) => (
        <Button key={key} size="xs" variant="default" onClick={() => onChoose(t(key))}>
          {t(key)}
        </Button>
      ))}
    </Stack>
  )
}
