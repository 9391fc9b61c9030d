import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CreditsBanner } from '@/features/credits'
import { Page, QueryView } from '@/shared/ui'
import { FirstSteps } from './FirstSteps'
import { AgentsCard, BalanceCard, Columns, ConversationsCard, WeekCard } from './Overview'
import { homeQuery, stepsOf } from './queries'
import { Starters } from './Starters'

const followMs = 5_000

/** First the three steps to an answered call; with the first agent, an overview of the account. */
export function HomePage() {
  const { t } = useTranslation('home')
  // Steps and conversations update while the reader works in another window.
  const home = useQuery({ ...homeQuery, staleTime: 0, refetchInterval: followMs })
  return (
    <Page title={t('title')}>
      <CreditsBanner />
      <QueryView query={home}>
        {(data) => {
          const steps = stepsOf(data)
          const agents = data.agents.nodes
          const started = steps.try || steps.open
          return (
            <>
              {!(steps.create && steps.try && steps.open) && <FirstSteps steps={steps} newest={agents[0]} />}
              {agents.length === 0 && <Starters />}
              <Columns>
                <Stack gap="md">
                  <BalanceCard />
                  {started && <WeekCard />}
                </Stack>
                {agents.length > 0 && (
                  <Stack gap="md">
                    {started && <ConversationsCard conversations={data.viewer.conversations.nodes} />}
                    <AgentsCard agents={agents} />
                  </Stack>
                )}
              </Columns>
            </>
          )
        }}
      </QueryView>
    </Page>
  )
}
