import { Group, Paper, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useViewer } from '@/features/auth'
import { formatNumber } from '@/shared/format'
import { Credits, QueryView } from '@/shared/ui'
import { AddCredits } from './AddCredits'
import { useLasts } from './useLasts'
import { useOutlook } from './useOutlook'

/** The balance and how long it lasts, next to the way to add credits. */
export function Balance() {
  return (
    <Paper p="md">
      <Group justify="space-between" align="flex-start">
        <Left />
        <AddCredits />
      </Group>
    </Paper>
  )
}

function Left() {
  const { t } = useTranslation('credits')
  const viewer = useViewer()
  const outlook = useOutlook()
  const lasts = useLasts(outlook)
  return (
    <div>
      <QueryView query={viewer}>
        {({ viewer: { creditBalance, creditsHeld } }) => (
          <>
            <Text c="dimmed">{t('balance')}</Text>
            <Text fz={26} lh="32px" fw={600} className="panel-figure" data-testid="balance">
              <Credits value={creditBalance} />
            </Text>
            {/* The line is there before the charges of the week are. */}
            {outlook?.state !== 'none' && <Text>{lasts ? `${lasts}.` : '\u00a0'}</Text>}
            {creditsHeld > 0 && <Text>{t('held', { count: creditsHeld, amount: formatNumber(creditsHeld) })}</Text>}
            <Text size="sm" c="dimmed">
              {t('price')}
            </Text>
          </>
        )}
      </QueryView>
    </div>
  )
}
