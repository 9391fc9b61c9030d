import { Paper } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState, QueryView, ShowMore } from '@/shared/ui'
import { useVersions } from './useVersions'
import { type Shown, VersionItem, type VersionsAgent } from './VersionItem'

type Props = {
  agent: VersionsAgent
  /** The version whose content is shown. */
  open?: number
  /** Compares it with the draft instead of the version before it. */
  against?: 'draft'
  onShow: (shown: Shown) => void
}

/** An agent's versions, newest first, each with what it changed. */
export function VersionList({ agent, open, against, onShow }: Props) {
  const { t } = useTranslation('versions')
  const { query, edges } = useVersions(agent.id, open)
  return (
    <QueryView query={query}>
      {() =>
        edges.length === 0 ? (
          <Paper>
            <EmptyState
              icon={<IconHistory size={32} stroke={1.4} aria-hidden />}
              title={t('empty')}
              text={t('emptyText')}
            />
          </Paper>
        ) : (
          <ShowMore query={query}>
            <Paper px="md">
              <ul className="panel-list">
                {edges.map(({ node }, at) => (
                  <VersionItem
                    key={node.number}
                    agent={agent}
                    version={node}
                    after={edges[at - 1]?.cursor ?? null}
                    open={node.number === open}
                    against={against}
                    onShow={onShow}
                  />
                ))}
              </ul>
            </Paper>
          </ShowMore>
        )
      }
    </QueryView>
  )
}
