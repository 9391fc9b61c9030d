import { Code, Paper } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { MarkdownText } from '@/shared/markdown'
import { Table } from '@/shared/ui'
import classes from './ApiDocs.module.css'
import { failures } from './reference'

/** Every status: when it is sent, whether to retry, and an example of each code. */
export function ErrorTable() {
  const { t } = useTranslation('apidocs')
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <Table aria-label={t('errors')} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('status')}</Table.Th>
            <Table.Th w="50%">{t('when')}</Table.Th>
            <Table.Th>{t('codes')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {failures.map(({ status, description, examples }) => (
            <Table.Tr key={status} className={classes.row}>
              <Table.Td className="panel-numbers">{status}</Table.Td>
              <Table.Td>
                <MarkdownText text={description} blockLabel={t('errors')} />
              </Table.Td>
              <Table.Td>
                {examples.map(({ code, summary, body }) => (
                  <details key={summary} className={classes.details}>
                    <summary>
                      <Code>{code}</Code> {summary}
                    </summary>
                    <Code block className={classes.body}>
                      {body}
                    </Code>
                  </details>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}
