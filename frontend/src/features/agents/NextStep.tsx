import { Alert } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { ButtonLink } from '@/shared/ui'
import type { Agent } from './queries'

/** The step after the first publish: for a live agent without an API export, a link to create one. */
export function NextStep({ agent }: { agent: Agent }) {
  const { t } = useTranslation('agents')
  const may = useMay('EDITOR')
  if (!may || agent.state !== 'LIVE' || agent.exports.length > 0) return null
  return (
    <Alert icon={<IconCircleCheck aria-hidden />} title={t('next.title')} role="region" aria-label={t('next.title')}>
      {t('next.text')}
      <ButtonLink to="/agents/$id/channels" params={{ id: agent.id }} mt="sm" display="block" w="fit-content">
        {t('next.create')}
      </ButtonLink>
    </Alert>
  )
}
