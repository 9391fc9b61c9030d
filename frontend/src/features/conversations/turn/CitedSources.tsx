import { useTranslation } from 'react-i18next'
import { AppLink } from '@/shared/ui'
import classes from './knowledge.module.css'
import { Place } from './Place'
import type { Cited } from './passages'

type Props = {
  sources: readonly Cited[]
  /** The agent, where this is not its own page. */
  agentId?: string
}

/** The passages that a reply cites, each by its number and leading to its source; nothing for none. */
export function CitedSources(props: Props) {
  // Apart, so that nothing is loaded for replies without any.
  return props.sources.length > 0 && <Sources {...props} />
}

function Sources({ sources, agentId }: Props) {
  const { t } = useTranslation('knowledge')
  return (
    <section aria-label={t('cited')} className={classes.cited}>
      <p className={classes.head}>{t('cited')}</p>
      <ul className={classes.sources}>
        {sources.map((cited) => (
          <li key={cited.n}>
            <span className={classes.number}>[{cited.n}]</span> <Name cited={cited} agentId={agentId} />{' '}
            <Place passage={cited} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Name({ cited: { name, source }, agentId }: { cited: Cited; agentId?: string }) {
  const { t } = useTranslation('knowledge')
  if (!source) {
    return (
      <span>
        <span className="panel-user-text">{name}</span> ({t('deleted')})
      </span>
    )
  }
  const look = { inherit: true, className: 'panel-user-text' }
  return agentId === undefined ? (
    <AppLink to="." search={(old) => ({ ...old, knowledge: source.id })} {...look}>
      {name}
    </AppLink>
  ) : (
    <AppLink to="/agents/$id" params={{ id: agentId }} search={{ knowledge: source.id }} {...look}>
      {name}
    </AppLink>
  )
}
