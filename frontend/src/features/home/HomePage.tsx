import { Box, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { CreditsBanner } from '@/features/credits'
import { followMs } from '@/shared/gql'
import { FiguresShape, Page, QueryView, TableShape } from '@/shared/ui'
import classes from './Home.module.css'
import { Overview } from './overview/Overview'
import { RangeControl, useRange } from './overview/RangeControl'
import { type Home, homeQuery, stepsOf } from './queries'
import { FirstSteps } from './start/FirstSteps'
import { AgentsCard, BalanceCard } from './start/NewAccount'
import { Starters } from './start/Starters'

/** First the steps to a first call; once it has come, how the account's agents do. */
export function HomePage() {
  const { t } = useTranslation('home')
  const range = useRange()
  // Steps and conversations update while the reader works in another window.
  const home = useQuery({ ...homeQuery, staleTime: 0, refetchInterval: followMs })
  const { firstRun, showFigures } = useFirstRun(home.data)
  const late = home.data ? undefined : 'panel-late' // the head of an account in use keeps its place while it loads
  return (
    <Page
      title={t('title')}
      description={!firstRun && <span className={late}>{t(`description.${range}`)}</span>}
      actions={
        !firstRun && (
          <div className={late}>
            <RangeControl />
          </div>
        )
      }
    >
      <CreditsBanner />
      <QueryView
        query={home}
        loading={
          <Stack gap="lg">
            <FiguresShape height={124} />
            <div className={classes.columns}>
              <TableShape />
              <TableShape two head={0} columns={2} />
            </div>
          </Stack>
        }
      >
        {(data) =>
          firstRun ? <FirstRun home={data} onShowFigures={showFigures} /> : <Overview home={data} range={range} />
        }
      </QueryView>
    </Page>
  )
}

/** The steps stay until the first call has come; who saw it come reads about it until they ask for the figures. */
function useFirstRun(home: Home | undefined) {
  const may = useMay('EDITOR')
  const saw = useRef(false)
  const [left, setLeft] = useState(false)
  if (home && !stepsOf(home).call) saw.current = true
  // The steps are of those who can take them.
  return { firstRun: may && saw.current && !left, showFigures: () => setLeft(true) }
}

function FirstRun({ home, onShowFigures }: { home: Home; onShowFigures: () => void }) {
  const agents = home.agents.nodes
  return (
    <>
      <Box className={classes.columns}>
        <FirstSteps home={home} onShowFigures={onShowFigures} />
        <Stack gap="md">
          <BalanceCard />
          {agents.length > 0 && <AgentsCard agents={agents} />}
        </Stack>
      </Box>
      {agents.length === 0 && <Starters />}
    </>
  )
}
