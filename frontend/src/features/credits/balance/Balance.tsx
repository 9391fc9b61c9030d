import { Paper, SimpleGrid, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useViewer } from '@/features/auth'
import { formatNumber } from '@/shared/format'
import { Credits, LoadingState, QueryView } from '@/shared/ui'
import { AddCredits, useCanAdd } from './AddCredits'
import { useLasts } from './useLasts'
import { useOutlook } from './useOutlook'

/** The balance and how long it lasts, next to the ways to add credits. */
export function Balance() {
  const { t } = useTranslation('credits')
  const add = useCanAdd()
  return (
    <SimpleGrid cols={{ base: 1, sm: add ? 2 : 1 }} spacing="sm">
      <Left />
      {add && (
        <Paper component="section" p="md" aria-labelledby="add-credits">
          <Title order={2} id="add-credits" mb={4}>
            {t('add')}
          </Title>
          <AddCredits />
        </Paper>
      )}
    </SimpleGrid>
  )
}

function Left() {
  const { t } = useTranslation('credits')
  const viewer = useViewer()
  const lasts = useLasts(useOutlook())
  return (
    <Paper p="md">
      <QueryView query={viewer} loading={<LoadingState rows={1} height={88} />}>
        {({ viewer: { creditBalance, creditsHeld } }) => (
          <>
            <Text c="dimmed">{t('balance')}</Text>
            <Text fz={26} lh="32px" fw={600} className="panel-figure" data-testid="balance">
              <Credits value={creditBalance} />
            </Text>
            {lasts && <Text>{lasts}.</Text>}
            {creditsHeld > 0 && <Text>{t('held', { count: creditsHeld, amount: formatNumber(creditsHeld) })}</Text>}
            <Text size="sm" c="dimmed">
              {t('price')}
            </Text>
          </>
        )}
      </QueryView>
    </Paper>
  )
}
