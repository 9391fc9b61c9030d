import { Anchor, Group, Loader, Paper, Text } from '@mantine/core'
import { IconFile, IconFileText, IconMessageQuestion } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { May } from '@/features/auth'
import { RelativeTime } from '@/shared/time'
import { Table, TableScroll } from '@/shared/ui'
import classes from './Knowledge.module.css'
import { isDoubtful, type Source } from './queries'
import { ReadAgain } from './ReadAgain'
import { sizeText, usageText } from './sourceText'

const icons = { TEXT: IconFileText, ANSWER: IconMessageQuestion, FILE: IconFile }

/** Sources, one row each, which opens what was read of it. */
export function SourcesTable({ sources, onOpen }: { sources: readonly Source[]; onOpen: (id: string) => void }) {
  const { t } = useTranslation('knowledge')
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <TableScroll label={t('list')}>
        <Table highlightOnHover miw={400} horizontalSpacing="sm" className={`panel-table ${classes.sources}`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="36%">{t('column.name')}</Table.Th>
              <Table.Th>{t('column.size')}</Table.Th>
              <Table.Th miw={{ base: 112, xl: 150 }}>{t('column.use')}</Table.Th>
              <Table.Th ta="right">{t('column.added')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sources.map((source) => (
              <Row key={source.id} source={source} onOpen={() => onOpen(source.id)} />
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Paper>
  )
}

/** What a source is waiting for, or why it was not read. */
function State({ source }: { source: Source }) {
  const { t } = useTranslation('knowledge')
  const { id, name, state, reason } = source
  if (state !== 'FAILED')
    return (
      <Group gap="xs" wrap="nowrap">
        {state === 'READING' && <Loader size={14} aria-hidden />}
        {t(`state.${state}`)}
      </Group>
    )
  return (
    <>
      <Text inherit c="var(--bad)">
        {reason ?? t('state.FAILED')}
      </Text>
      {!isDoubtful(source) && (
        <May least="EDITOR">
          <div style={{ marginTop: 4 }}>
            <ReadAgain id={id} name={name} />
          </div>
        </May>
      )}
    </>
  )
}

function Row({ source, onOpen }: { source: Source; onOpen: () => void }) {
  const { t } = useTranslation('knowledge')
  const { id, kind, name, state, createdAt, inDraft, notes } = source
  const Icon = icons[kind]
  return (
    <Table.Tr className="panel-row" data-row={id}>
      <Table.Td data-at="title">
        <Group gap="xs" wrap="nowrap">
          <Icon size={16} className={classes.icon} aria-hidden />
          <div style={{ minWidth: 0 }}>
            <Anchor
              component="button"
              inherit
              type="button"
              c="var(--text)"
              fw={500}
              ta="start"
              lineClamp={2}
              className="panel-row-link panel-user-text"
              onClick={onOpen}
            >
              {name}
            </Anchor>
            <Text size="xs" c="dimmed">
              {t(`kind.${kind}`)}
              {state === 'READY' && notes.length > 0 && ` · ${t('noteCount', { count: notes.length })}`}
            </Text>
          </div>
        </Group>
      </Table.Td>
      <Table.Td data-at="sub" className="panel-numbers">
        {state === 'READY' ? sizeText(t, source) : <State source={source} />}
      </Table.Td>
      <Table.Td data-at="more" c={inDraft ? undefined : 'dimmed'}>
        {usageText(t, source)}
      </Table.Td>
      <Table.Td data-at="more-end" ta="right">
        <RelativeTime time={createdAt} />
      </Table.Td>
    </Table.Tr>
  )
}
