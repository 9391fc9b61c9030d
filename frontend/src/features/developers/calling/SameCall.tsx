import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AppLink } from '@/shared/ui'
import { Code } from './snippets/Code'
import { firstCall, keyVariable, type Said } from './snippets/snippets'

type Props = {
  said: Said
  agentId: string
  /** Whether callers are answered. */
  live: boolean
}

/** A message of a test as a call. */
export function SameCall({ said, agentId, live }: Props) {
  const { t } = useTranslation('calling')
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {t(live ? 'same' : 'sameOffline', { variable: `$${keyVariable}` })}{' '}
        <AppLink to="/agents/$id/channels" params={{ id: agentId }} underline="always" inherit>
          {t('channels')}
        </AppLink>
      </Text>
      <Code code={firstCall(said)} grammar="bash" label={t('sameCall')} copyLabel={t('copyCommand')} />
    </Stack>
  )
}
