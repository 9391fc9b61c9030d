import { Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { dateOf, useNow } from '@/shared/time'
import { AppLink, LoadingState, QueryView } from '@/shared/ui'
import { usageQuery } from './queries'
import { lastDays } from './range'
import { UsageByDay, usageSum } from './UsageByDay'

const route = getRouteApi('/_app/credits')
const days = 30

/** The charges of each of the last 30 days, with a link to their entries. */
export function UsageSection() {
  const { t } = useTranslation('credits')
  const { view } = route.useSearch()
  const navigate = route.useNavigate()
  const range = lastDays(days, useNow())
  const usage = useQuery({ ...usageQuery(range), placeholderData: keepPreviousData })
  return (
    <Paper component="section" p="md" aria-labelledby="usage-title">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} id="usage-title">
            {t('usage')}
          </Title>
          <SegmentedControl
            size="xs"
            aria-label={t('viewAs')}
            data={[
              { value: 'chart', label: t('chart') },
              { value: 'table', label: t('table') },
            ]}
            value={view ?? 'chart'}
            onChange={(value) =>
              void navigate({
                search: (old) => ({ ...old, view: value === 'table' ? ('table' as const) : undefined }),
                resetScroll: false,
              })
            }
          />
        </Group>
        <QueryView query={usage} loading={<LoadingState rows={1} height={220} />}>
          {(points) => {
            const sum = usageSum(points)
            return (
              <>
                <Group gap="xs" justify="space-between">
                  <Text c="dimmed" className="panel-numbers" data-testid="usage-sum">
                    {t('usageSum', {
                      count: sum.messages,
                      credits: t('credits', { ns: 'common', count: sum.credits, amount: formatNumber(sum.credits) }),
                      messages: formatNumber(sum.messages),
                    })}
                  </Text>
                  <AppLink
                    to="/credits"
                    search={{ kind: 'CHARGE', from: dateOf(range.from), to: dateOf(Date.parse(range.to) - 1), view }}
                    resetScroll={false}
                  >
                    {t('usageEntries')}
                  </AppLink>
                </Group>
                <UsageByDay points={points} asTable={view === 'table'} />
              </>
            )
          }}
        </QueryView>
      </Stack>
    </Paper>
  )
}
