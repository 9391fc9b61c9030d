import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CreditsBanner } from '@/features/credits'
import { followMs } from '@/shared/gql'
import { Page, QueryView } from '@/shared/ui'
import { FirstSteps } from './FirstSteps'
import { AgentsCard, BalanceCard, Columns } from './NewAccount'
import { Overview } from './Overview'
import { homeQuery, stepsOf } from './queries'
import { RangeControl, useRange } from './RangeControl'
import { Starters } from './Starters'

/** First the three steps to an answered request; with the first message, how the account's agents do. */
export function HomePage() {
  const { t } = useTranslation('home')
  const range = useRange()
  // Steps and conversations update while the reader works in another window.
  const home = useQuery({ ...homeQuery, staleTime: 0, refetchInterval: followMs })
  const inUse = home.data && stepsOf(home.data).try
  return (
    <Page title={t('title')} description={inUse && t(`description.${range}`)} actions={inUse && <RangeControl />}>
      <CreditsBanner />
      <QueryView query={home}>
        {(data) => {
          const steps = stepsOf(data)
          const agents = data.agents.nodes
          return (
            <>
              {!(steps.create && steps.try && steps.open) && <FirstSteps steps={steps} newest={agents[0]} />}
              {agents.length === 0 && <Starters />}
              {steps.try ? (
                <Overview home={data} range={range} />
              ) : (
                <Columns>
                  <BalanceCard />
                  {agents.length > 0 && <AgentsCard agents={agents} />}
                </Columns>
              )}
            </>
          )
        }}
      </QueryView>
    </Page>
  )
}
