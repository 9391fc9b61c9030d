import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FirstRequest } from './FirstRequest'
import { Code } from './snippets/Code'
import { type Called, firstCall, keyVariable, sample } from './snippets/snippets'

type Props = Called & {
  /** The key, while it is shown. */
  apiKey?: string
  /** The export whose first request is waited for. */
  awaited?: string
}

/** The shortest command that sends a message, and its result. */
export function FirstCall({ apiKey, awaited, variables, withUserId }: Props) {
  const { t } = useTranslation('calling')
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {apiKey === undefined ? t('kindText.firstVariable', { variable: `$${keyVariable}` }) : t('kindText.first')}
      </Text>
      <Code
        code={firstCall(sample({ variables, withUserId }), { apiKey })}
        grammar="bash"
        label={t('firstCall')}
        copyLabel={t('copyCommand')}
      />
      {awaited !== undefined && <FirstRequest key={awaited} exportId={awaited} />}
    </Stack>
  )
}
