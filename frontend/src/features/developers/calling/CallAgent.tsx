import { Group, Stack, Title } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '@/shared/ui'
import { Instructions } from './Instructions'
import { Snippets } from './snippets/Snippets'
import type { Called } from './snippets/snippets'

type Props = Called & {
  agentName: string
  /** The key, while it is shown. */
  apiKey?: string
  /** The export whose first request is waited for. */
  awaited?: string
}

/** How software calls an agent: for the reader, and to pass on to a developer. */
export function CallAgent({ agentName, apiKey, awaited, ...called }: Props) {
  const { t } = useTranslation('calling')
  const titleId = useId()
  return (
    <Stack component="section" gap="sm" aria-labelledby={titleId}>
      <Group justify="space-between" gap="xs">
        <Title order={3} id={titleId}>
          {t('use')}
        </Title>
        <AppLink to="/developers" size="sm">
          {t('docs')}
        </AppLink>
      </Group>
      <Snippets apiKey={apiKey} awaited={awaited} {...called} />
      <Instructions agentName={agentName} {...called} />
    </Stack>
  )
}
