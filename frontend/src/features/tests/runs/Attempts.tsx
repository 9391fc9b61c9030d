import { Group, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '@/shared/format'
import { AppLink, Credits, LoadingState } from '@/shared/ui'
import type { Outcome, Result } from './queries'
import { judgedIn, reasonOf } from './reasons'
import { useReasonText } from './useReasonText'

/** The attempts of a case, each with its reply and the judge's reasons. */
export function Attempts({
  tested,
  results,
  pending,
}: {
  tested: Outcome['case']
  results: Result[]
  pending: boolean
}) {
  const { t } = useTranslation('tests')
  if (results.length === 0) return pending ? <LoadingState /> : <Text size="sm">{t('noAttempts')}</Text>
  return (
    <ul className="panel-list">
      {results.map((result) => (
        <Attempt key={result.repeat} tested={tested} result={result} />
      ))}
    </ul>
  )
}

function Attempt({ tested, result }: { tested: Outcome['case']; result: Result }) {
  const { t } = useTranslation('tests')
  const textOf = useReasonText()
  const { repeat, passed, errorCode, credits, durationMs, turn, verdicts } = result
  const Icon = passed ? IconCircleCheck : IconCircleX
  const reason = reasonOf(result)
  const judged = verdicts.flatMap((verdict) => (verdict.passed && judgedIn(verdict)) || [])
  return (
    <li style={{ padding: '4px 0' }}>
      <Group gap="sm">
        <Group gap={4} c={passed ? 'var(--ok)' : 'var(--bad)'}>
          <Icon size={16} role="img" aria-label={t(passed ? 'passed' : 'failed')} />
          <Text inherit span>
            {t('attempt', { number: repeat })}
          </Text>
        </Group>
        <Credits value={credits} />
        {durationMs != null && <Text span>{formatDuration(durationMs)}</Text>}
        {turn ? (
          <AppLink to="/activity/conversations/$id" params={{ id: turn.conversationId }} search={{ turn: turn.number }}>
            {t('showReply')}
          </AppLink>
        ) : (
          // An attempt that was refused never had a turn.
          !errorCode && (
            <Text span c="dimmed">
              {t('textDeleted')}
            </Text>
          )
        )}
      </Group>
      {reason && <Text className="panel-user-text">{textOf(reason, tested)}</Text>}
      {judged.map((text) => (
        <Text key={text} className="panel-user-text" c="dimmed">
          {t('judgeSaid', { text })}
        </Text>
      ))}
    </li>
  )
}
