import { Badge, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconPencilPlus } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import type { AgentRequirement } from '@/gql/graphql'
import { AppLink } from '@/shared/ui'
import type { Agent } from '../queries'
import { StateBadge } from '../StateBadge'
import type { NodeName } from '../showNode'
import classes from './AgentHead.module.css'

const nodeOfRequirement: Record<AgentRequirement, NodeName> = { NAME: 'agent', INSTRUCTIONS: 'agent', MODEL: 'model' }

/** The state of the live agent, what the draft lacks for publishing, and its unpublished changes, which open Publish. */
export function AgentStatus({ agent, id, onPublish }: { agent: Agent; id: string; onPublish: () => void }) {
  const { t } = useTranslation('agents')
  const may = useMay('EDITOR')
  const { state, missing, hasUnpublishedChanges: changed } = agent
  const lacking = may && missing.length > 0
  const text = textOf(agent)
  const more = text && t(text, { number: agent.publishedVersion?.number })
  return (
    <>
      <span id={id} role="status" tabIndex={-1} className={classes.standing}>
        <Tooltip label={more} disabled={!more} multiline maw={320}>
          <span>
            <StateBadge agent={{ ...agent, hasUnpublishedChanges: false }} />
          </span>
        </Tooltip>
        {more && <VisuallyHidden>{more}</VisuallyHidden>}
        {lacking && (
          <span className={classes.lacks}>
            {t('lacks')}{' '}
            {missing.map((requirement, at) => (
              <Fragment key={requirement}>
                {at > 0 && ' · '}
                <AppLink
                  to="/agents/$id"
                  params={{ id: agent.id }}
                  search={{ node: nodeOfRequirement[requirement] }}
                  underline="always"
                  inherit
                >
                  {t(`requirement.${requirement}`)}
                </AppLink>
              </Fragment>
            ))}
          </span>
        )}
      </span>
      {state === 'LIVE' && changed && (
        <Unpublished onClick={may && !lacking ? onPublish : undefined}>{t('unpublished')}</Unpublished>
      )}
    </>
  )
}

function Unpublished({ onClick, children }: { onClick?: () => void; children: string }) {
  const badge = (
    <Badge component="span" miw="max-content" color="yellow" leftSection={<IconPencilPlus size={14} aria-hidden />}>
      {children}
    </Badge>
  )
  if (!onClick) return <span className={classes.unpublished}>{badge}</span>
  return (
    <UnstyledButton className={classes.unpublished} onClick={onClick}>
      {badge}
    </UnstyledButton>
  )
}

function textOf({ state, hasUnpublishedChanges: changed }: Agent) {
  if (state === 'LIVE') return changed && 'standing.changed'
  return state === 'OFFLINE' && (changed ? 'standing.offlineChanged' : 'standing.offline')
}
