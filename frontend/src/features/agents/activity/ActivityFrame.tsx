import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink, Page, useAgentInAddress } from '@/shared/ui'
import { AgentFrame } from '../head/AgentFrame'
import { Views } from './Views'

type Props = { actions?: ReactNode; children: ReactNode }

/** The frame of every view of Activity: of the whole account, or under the head of the agent in the address. */
export function ActivityFrame({ actions, children }: Props) {
  const { t } = useTranslation('activity')
  const id = useAgentInAddress()
  if (id === undefined) {
    return (
      <Page title={t('title')} beside={<Views />} actions={actions}>
        {children}
      </Page>
    )
  }
  return (
    <AgentFrame id={id} tabTitle={(name) => t('titleOf', { name })}>
      <Group justify="space-between" gap="xs" className="panel-brief">
        <Views agent={id} />
        <Group gap="sm">
          <AppLink to="/activity/conversations" search={{ agent: id }} size="sm" visibleFrom="sm">
            {t('allAgents')}
          </AppLink>
          {actions}
        </Group>
      </Group>
      {children}
    </AgentFrame>
  )
}
