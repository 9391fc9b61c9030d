import { Button, Paper, Stack, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { formatShare, successOf } from '@/shared/format'
import { useNow } from '@/shared/time'
import { ChosenBar, EmptyState, QueryView, ShowMore, Table, TableScroll, TableShape, useChosen } from '@/shared/ui'
import { reviewQuery, type Version, versionSuccessQuery } from '../queries'
import { useVersions } from '../useVersions'
import { useWhatChanged, useWords } from './useWhatChanged'
import { type Shown, VersionChanges } from './VersionChanges'
import classes from './VersionList.module.css'
import { type Counts, DraftRow, regionOf, useRatings, VersionRow, type VersionsAgent } from './VersionRow'

type Props = Shown & { agent: VersionsAgent; onShow: (shown: Shown) => void }

const columns = ['version', 'what', 'success', 'ratings', 'publishedBy', 'when', 'pinnedBy'] as const
/** What changed has the rest. */
const widths = { version: 150, what: undefined, success: 110, ratings: 120, publishedBy: 150, when: 110, pinnedBy: 130 }

type ListProps = Props & {
  /** The button that publishes an agent without versions. */
  publish: ReactNode
}

/** An agent's versions, newest first, each with what it changed. Two of them, or one and the draft, can be compared. */
export function VersionList({ agent, open, against, onShow, publish }: ListProps) {
  const { t } = useTranslation('versions')
  const oldest = typeof against === 'number' && open !== undefined ? Math.min(open, against) : open
  const { query, edges } = useVersions(agent.id, oldest)
  const pages = query.data?.pages.map((page) => page.agent.versions.edges) ?? []
  const whatOf = useWhatChanged(agent.id, pages)
  const success = useQuery({ ...versionSuccessQuery(agent.id, useNow()), enabled: edges.length > 0 }).data?.viewer.usage
  const hasDraft = agent.hasUnpublishedChanges && agent.publishedVersion != null
  const chosen = useChosen([
    ...(hasDraft ? [{ id: 'draft' }] : []),
    ...edges.map(({ node }) => ({ id: `${node.number}` })),
  ])
  const compared = comparedOf(chosen.rows.map(({ id }) => id))
  // What two chosen ones come to may be far from their rows.
  const region = open !== undefined && typeof against === 'number' ? regionOf(open) : undefined
  const countsOf = (number: number) => success?.find(({ version }) => version === number)
  const shown = edges.some(({ node }) => node.number === open)
  useEffect(() => {
    if (region && shown) document.getElementById(region)?.focus()
  }, [region, shown])
  return (
    <QueryView query={query} loading={<TableShape columns={5} />}>
      {() =>
        edges.length === 0 ? (
          <Paper>
            <EmptyState
              icon={<IconHistory size={32} stroke={1.4} aria-hidden />}
              title={t('empty')}
              text={t('emptyText')}
              action={publish}
            />
          </Paper>
        ) : (
          <ShowMore query={query}>
            <Paper style={{ overflow: 'hidden' }}>
              <TableScroll label={t('title')}>
                <Table highlightOnHover miw={800} horizontalSpacing="xs" className={`panel-table ${classes.list}`}>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th w={40} aria-label={t('compare')} />
                      {columns.map((column) => (
                        <Table.Th
                          key={column}
                          data-column={column}
                          w={widths[column]}
                          ta={column === 'success' || column === 'ratings' ? 'right' : undefined}
                        >
                          {t(`column.${column}`)}
                        </Table.Th>
                      ))}
                      <Table.Th w={52} aria-label={t('actions')} />
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {hasDraft && <Draft agent={agent} chosen={chosen} />}
                    {edges.map(({ node }) => (
                      <Fragment key={node.number}>
                        <VersionRow
                          agent={agent}
                          version={node}
                          what={whatOf(node.number)}
                          counts={countsOf(node.number)}
                          open={node.number === open}
                          chosen={chosen}
                        />
                        {node.number === open && (
                          <Table.Tr className="panel-opened">
                            <Table.Td colSpan={columns.length + 2}>
                              <Content
                                agent={agent}
                                open={open}
                                version={node}
                                counts={countsOf(open)}
                                against={against}
                                onShow={onShow}
                              />
                            </Table.Td>
                          </Table.Tr>
                        )}
                      </Fragment>
                    ))}
                  </Table.Tbody>
                </Table>
              </TableScroll>
            </Paper>
            <ChosenBar chosen={chosen}>
              <Button size="xs" variant="default" disabled={!compared} onClick={() => compared && onShow(compared)}>
                {t(compared ? 'compareTwo' : 'chooseTwo')}
              </Button>
            </ChosenBar>
            <Text size="sm" c="dimmed">
              {t('description')}
            </Text>
          </ShowMore>
        )
      }
    </QueryView>
  )
}

/** What two chosen rows are to show: the newer version against the older one, or a version against the draft. */
function comparedOf(ids: string[]): Shown | undefined {
  const [first, second, another] = ids
  if (!first || !second || another) return undefined
  return { open: Number(first === 'draft' ? second : first), against: first === 'draft' ? 'draft' : Number(second) }
}

function Draft(props: Omit<Parameters<typeof DraftRow>[0], 'what'>) {
  const wordsOf = useWords()
  const { data } = useQuery(reviewQuery(props.agent.id))
  const published = data?.agent.publishedVersion
  return <DraftRow {...props} what={data && published ? wordsOf(published, data.agent) : undefined} />
}

type ContentProps = Props & { open: number; version: Version; counts: Counts | undefined }

/** The content of an open version, below its row. */
function Content({ agent, open, version, counts, against, onShow }: ContentProps) {
  const { t } = useTranslation('versions')
  const { note, publishedBy, pinnedBy } = version
  const ratings = useRatings(version.ratings)
  const success = counts ? successOf(counts) : null
  const leftOut = {
    publishedBy: publishedBy && t('publishedBy', { name: publishedBy.name }),
    success: success !== null && t('successIs', { share: formatShare(success) }),
    ratings: ratings.sum > 0 ? t('ratingsAre', { ratings: ratings.text }) : ratings.text,
    pinnedBy: pinnedBy.length > 0 && t('pinnedAre', { names: pinnedBy.map(({ name }) => name).join(', ') }),
  }
  return (
    <section
      id={regionOf(open)}
      tabIndex={-1}
      aria-label={t('contentOf', { number: open })}
      style={{ outline: 'none' }}
    >
      <Stack gap="sm">
        {note && (
          <Text className="panel-user-text" style={{ whiteSpace: 'pre-wrap' }}>
            {note}
          </Text>
        )}
        <Text size="sm" c="dimmed" component="div" className={classes.leftOut}>
          {Object.entries(leftOut).map(
            ([column, text]) =>
              text && (
                <span key={column} data-of={column} className="panel-user-text">
                  {text}
                </span>
              ),
          )}
        </Text>
        <VersionChanges
          agentId={agent.id}
          number={open}
          against={against}
          onAgainst={(next) => onShow({ open, against: next })}
        />
      </Stack>
    </section>
  )
}
