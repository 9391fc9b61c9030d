import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { StateBadge } from '@/features/agents'
import { useViewer } from '@/features/auth'
import { useLasts, useOutlook } from '@/features/credits'
import { RelativeTime } from '@/shared/time'
import { AppLink, Credits, QueryView, RowLink } from '@/shared/ui'
import type { HomeAgent } from '../queries'

/** The available credits, and how long they last. */
export function BalanceCard() {
  const { t } = useTranslation('home')
  const viewer = useViewer()
  const lasts = useLasts(useOutlook())
  return (
    <Card title={t('available')} link={<AppLink to="/usage/credits">{t('openCredits')}</AppLink>}>
      <QueryView query={viewer}>
        {({ viewer: { creditsAvailable } }) => (
          <div>
            <Text fz="xl" lh="32px" fw={600} className="panel-figure" data-testid="home-available">
              <Credits value={creditsAvailable} />
            </Text>
            <Text size="sm" c="dimmed">
              {lasts ?? '\u00a0'}
            </Text>
          </div>
        )}
      </QueryView>
    </Card>
  )
}

export function AgentsCard({ agents }: { agents: readonly HomeAgent[] }) {
  const { t } = useTranslation('home')
  return (
    <Card title={t('agents')} link={<AppLink to="/agents">{t('allAgents')}</AppLink>}>
      <ul className="panel-list">
        {agents.map((agent) => (
          <Row key={agent.id} time={<RelativeTime time={agent.lastUsedAt} none={t('neverUsed')} />}>
            <Group gap="xs">
              <RowLink to="/agents/$id" params={{ id: agent.id }} lineClamp={2}>
                {agent.name}
              </RowLink>
              <StateBadge agent={agent} />
            </Group>
            <Text size="sm" c="dimmed">
              {agent.model?.label ?? t('noModel')}
            </Text>
          </Row>
        ))}
      </ul>
    </Card>
  )
}

function Card({ title, link, children }: { title: string; link?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <Paper component="section" p="md" aria-labelledby={id} style={{ minWidth: 0 }}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} id={id}>
            {title}
          </Title>
          {link}
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}

function Row({ time, children }: { time: ReactNode; children: ReactNode }) {
  return (
    <li className="panel-row">
      <Group justify="space-between" gap="sm" wrap="nowrap" py="xs">
        <div style={{ minWidth: 0 }}>{children}</div>
        <Text size="sm" c="dimmed" component="div" ta="right" flex="none" className="panel-row-control">
          {time}
        </Text>
      </Group>
    </li>
  )
}
