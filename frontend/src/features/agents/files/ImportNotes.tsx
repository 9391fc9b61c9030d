import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { gql } from '@/shared/gql'
import { forgetErased } from '@/shared/remembered'
import { CopyButton, Dialog, FormError, notifyDone, Table, TableScroll } from '@/shared/ui'
import { DeleteAgentDocument } from '../queries'
import classes from './ImportNotes.module.css'
import type { Imported } from './queries'

type Props = { imported: Imported; onClose: () => void }

/** What was changed in or left out of a file of another system, with actions for its draft. */
export default function ImportNotes({ imported: { agent, notes, moreNotes }, onClose }: Props) {
  const { t } = useTranslation('agents')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { id, name } = agent
  const remove = useMutation({
    mutationFn: () => gql(DeleteAgentDocument, { input: { id } }),
    onSuccess: () => {
      void forgetErased(queryClient)
      void notifyDone(t('deletedDone', { name }))
      onClose()
    },
  })
  const head = [t('imported.line'), t('imported.item'), t('imported.result')]
  const rows = notes.map(({ line, path, message }) => [line, path, message])
  return (
    <Dialog title={t('imported.title', { name })} onClose={onClose} size={800}>
      <Stack gap="md">
        <div className={classes.notes}>
          <TableScroll label={t('imported.title', { name })}>
            <Table columns={[64, { min: 200 }, { min: 240 }]} className="panel-table">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th ta="right">{head[0]}</Table.Th>
                  <Table.Th>{head[1]}</Table.Th>
                  <Table.Th>{head[2]}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {notes.map(({ line, path, message }, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two notes may be equal, and their order never changes
                  <Table.Tr key={at}>
                    <Table.Td data-at="more" className={`${classes.line} panel-numbers`}>
                      <span className="panel-phone">{head[0]} </span>
                      {formatNumber(line)}
                    </Table.Td>
                    <Table.Td data-at="sub" className="panel-user-text">
                      {path}
                    </Table.Td>
                    <Table.Td data-at="title" className="panel-user-text">
                      {message}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </TableScroll>
        </div>
        {moreNotes > 0 && (
          <Text size="sm">{t('imported.more', { count: moreNotes, amount: formatNumber(moreNotes) })}</Text>
        )}
        <FormError error={remove.error} onClose={remove.reset} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t('imported.delete')}
          </Button>
          <CopyButton label={t('imported.copy')} value={[head, ...rows].map((row) => row.join('\t')).join('\n')} />
          <Button onClick={() => void navigate({ to: '/agents/$id', params: { id } })} data-autofocus>
            {t('imported.open')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
