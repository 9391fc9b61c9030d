import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Reviewed } from '../queries'

type Props = { sources: Reviewed['knowledge']['nodes'] }

const shownAtMost = 5

/** The loaded sources of a draft that publishing leaves out. */
export const notReady = ({ knowledge }: Pick<Reviewed, 'knowledge'>) =>
  knowledge.nodes.filter(({ state }) => state !== 'READY')

/** Lists the files that are left out. They do not prevent publishing. */
export function NotReady({ sources }: Props) {
  const { t } = useTranslation(['versions', 'knowledge'])
  if (sources.length === 0) return null
  return (
    <Alert
      color="yellow"
      role="status"
      icon={<IconAlertTriangle aria-hidden />}
      title={t('notReady', { count: sources.length })}
    >
      <ul className="panel-user-text" style={{ margin: 0, paddingInlineStart: 20 }}>
        {sources.slice(0, shownAtMost).map(({ id, name, state }) => (
          <li key={id}>{t('notReadyOne', { name, state: t(`state.${state}`, { ns: 'knowledge' }) })}</li>
        ))}
        {sources.length > shownAtMost && <li>{t('moreNotReady', { count: sources.length - shownAtMost })}</li>}
      </ul>
    </Alert>
  )
}
