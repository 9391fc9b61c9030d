import { Paper, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useViewer } from '@/features/auth'
import { Credits, LoadingState, QueryView } from '@/shared/ui'
import { useLasts } from './useLasts'
import { useOutlook } from './useOutlook'

/** Balance, held and available credits, and how long they last. */
export function Balance() {
  const { t } = useTranslation('credits')
  const viewer = useViewer()
  const lasts = useLasts(useOutlook())
  return (
    <QueryView query={viewer} loading={<LoadingState rows={1} height={88} />}>
      {({ viewer: { creditBalance, creditsHeld, creditsAvailable } }) => (
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          <Figure name={t('available')} value={creditsAvailable} testId="available">
            {lasts}
          </Figure>
          <Figure name={t('held')} value={creditsHeld} testId="held">
            {t('heldText')}
          </Figure>
          <Figure name={t('balance')} value={creditBalance} testId="balance">
            {t('balanceText')}
          </Figure>
        </SimpleGrid>
      )}
    </QueryView>
  )
}

function Figure(props: { name: string; value: number; testId: string; children: ReactNode }) {
  return (
    <Paper p="md">
      <Text c="dimmed">{props.name}</Text>
      <Text fz="xl" lh="32px" fw={600} className="panel-figure" data-testid={props.testId}>
        <Credits value={props.value} />
      </Text>
      <Text size="sm" c="dimmed">
        {props.children}
      </Text>
    </Paper>
  )
}
