import { Group, Stack, Title } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '@/shared/ui'
import { Instructions } from './Instructions'
import { Snippets } from './snippets/Snippets'
import type { Called } from './snippets/snippets'

type Props = Called & {
  agentName: string
  /** The export whose first request is waited for. */
  awaited?: string
}

/** How software calls an agent: for the reader, and to pass on to a developer. */
export function CallAgent(props: Props) {
  const { t } = useTranslation('calling')
  const titleId = useId()
  return (
    <Stack component="section" gap="sm" aria-labelledby={titleId}>
      <Title order={2} id={titleId}>
        {t('use')}
      </Title>
      <CallSamples {...props} />
    </Stack>
  )
}

/** The samples without a title, with what else a developer needs. */
export function CallSamples({ agentName, awaited, ...called }: Props) {
  const { t } = useTranslation('calling')
  return (
    <Stack gap="sm">
      <Snippets awaited={awaited} {...called} />
      <Group>
        <Instructions agentName={agentName} {...called} />
        <AppLink to="/developers" size="sm">
          {t('docs')}
        </AppLink>
      </Group>
    </Stack>
  )
}
