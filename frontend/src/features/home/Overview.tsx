import { Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { StateBadge } from '@/features/agents'
import { useViewer } from '@/features/auth'
import { lastDays, UsageByDay, usageQuery, usageSum, useLasts, useOutlook } from '@/features/credits'
import { formatNumber } from '@/shared/format'
import { RelativeTime, useNow } from '@/shared/time'
import { AppLink, Credits, LoadingState, QueryView, RowLink } from '@/shared/ui'
import type { HomeAgent, HomeConversation } from './queries'

const days = 7

/** The available credits, and how long they last. */
export function BalanceCard() {
  const { t } = useTranslation('home')
  const viewer = useViewer()
  const lasts = useLasts(useOutlook())
  return (
    <Card title={t('available')} link={<AppLink to="/credits">{t('openCredits')}</AppLink>}>
      <QueryView query={viewer} loading={<LoadingState rows={1} height={48} />}>
        {({ viewer: { creditsAvailable } }) => (
          <div>
            <Text fz="xl" lh="32px" fw={600} className="panel-figure" data-testid="home-available">
              <Credits value={creditsAvailable} />
            </Text>
            <Text size="sm" c="dimmed">
              {lasts}
            </Text>
          </div>
        )}
      </QueryView>
    </Card>
  )
}

/** The charges of each of the last 7 days. */
export function WeekCard() {
  const { t } = useTranslation('home')
  const usage = useQuery({ ...usageQuery(lastDays(days, useNow())), placeholderData: keepPreviousData })
  return (
    <Card title={t('lastWeek')}>
      <QueryView query={usage} loading={<LoadingState rows={1} height={220} />}>
        {({ viewer: { creditUsage } }) => {
          const { credits, messages } = usageSum(creditUsage)
          return (
            <>
              <Text c="dimmed" className="panel-numbers">
                {t('weekSum', {
                  count: messages,
                  credits: t('credits', { ns: 'common', count: credits, amount: formatNumber(credits) }),
                  messages: formatNumber(messages),
                })}
              </Text>
              <UsageByDay points={creditUsage} />
            </>
          )
        }}
      </QueryView>
    </Card>
  )
}

export function ConversationsCard({ conversations }: { conversations: readonly HomeConversation[] }) {
  const { t } = useTranslation('home')
  return (
    <Card title={t('conversations')} link={<AppLink to="/conversations">{t('allConversations')}</AppLink>}>
      {conversations.length === 0 ? (
        <Text c="dimmed">{t('noConversations')}</Text>
      ) : (
        <ul className="panel-list">
          {conversations.map(({ id, sessionId, agent, turnCount, lastTurnAt }) => (
            <Row key={id} time={<RelativeTime time={lastTurnAt} />}>
              <RowLink to="/conversations/$id" params={{ id }} lineClamp={2}>
                {sessionId}
              </RowLink>
              <Text size="sm" c="dimmed" className="panel-user-text" lineClamp={1}>
                {t('conversationOf', { count: turnCount, turns: formatNumber(turnCount), agent: agent.name })}
              </Text>
            </Row>
          ))}
        </ul>
      )}
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

/** Stacks of cards, side by side if there is room. */
export function Columns({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      {children}
    </SimpleGrid>
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
