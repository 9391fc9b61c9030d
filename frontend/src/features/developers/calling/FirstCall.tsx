import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FirstRequest } from './FirstRequest'
import { Code } from './snippets/Code'
import { type Called, firstCall, keyVariable, sample } from './snippets/snippets'

type Props = Called & {
  /** The export whose first request is waited for. */
  awaited?: string
}

/** The shortest command that sends a message, and its result. */
export function FirstCall({ awaited, variables, withUserId }: Props) {
  const { t } = useTranslation('calling')
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('kindText.first', { variable: `$${keyVariable}` })}
      </Text>
      <Code
        code={firstCall(sample({ variables, withUserId }))}
        grammar="bash"
        label={t('firstCall')}
        copyLabel={t('copyCommand')}
      />
      {awaited !== undefined && <FirstRequest key={awaited} exportId={awaited} />}
    </Stack>
  )
}
