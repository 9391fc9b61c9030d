import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '@/shared/format'
import type { Request } from './queries'
import classes from './Requests.module.css'

const parts = ['waited', 'model', 'own'] as const

/** Shows how the time of a request was spent: waiting, in the model, and in the service itself. */
export function TimingBar({ request }: { request: Request }) {
  const { t } = useTranslation('requests')
  const { durationMs, waitedMs, modelMs } = request
  if (durationMs == null) return null
  const waited = waitedMs ?? 0
  const model = modelMs ?? 0
  const of = { waited, model, own: Math.max(durationMs - waited - model, 0) }
  const known = parts.filter((part) => (part === 'own' ? waitedMs != null : of[part] > 0))
  return (
    <div>
      <Text size="sm" fw={600}>
        {t('took', { amount: formatDuration(durationMs) })}
      </Text>
      {known.length > 0 && (
        <>
          <div className={classes.bar} aria-hidden>
            {known.map((part) => (
              <span key={part} className={classes[part]} style={{ flexGrow: of[part] }} />
            ))}
          </div>
          <ul className={classes.legend}>
            {known.map((part) => (
              <li key={part}>
                <span className={`${classes.dot} ${classes[part]}`} aria-hidden />
                {t(`part.${part}`, { amount: formatDuration(of[part]) })}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
