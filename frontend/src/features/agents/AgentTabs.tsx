import { Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '@/shared/ui'

/** The pages of one agent. */
export function AgentTabs({ id }: { id: string }) {
  const { t } = useTranslation('agents')
  const look = {
    params: { id },
    variant: 'subtle',
    size: 'xs',
    activeOptions: { exact: true, includeSearch: false },
    activeProps: { variant: 'light' },
  } as const
  return (
    <Group component="nav" gap={4} aria-label={t('pages')}>
      <ButtonLink to="/agents/$id" {...look}>
        {t('overview')}
      </ButtonLink>
      <ButtonLink to="/agents/$id/playground" {...look}>
        {t('playground')}
      </ButtonLink>
      <ButtonLink to="/agents/$id/conversations" {...look}>
        {t('conversations')}
      </ButtonLink>
      <ButtonLink to="/agents/$id/end-users" {...look}>
        {t('endUsers')}
      </ButtonLink>
      <ButtonLink to="/agents/$id/versions" {...look}>
        {t('versions')}
      </ButtonLink>
    </Group>
  )
}
