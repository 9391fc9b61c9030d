import { Code, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { TableScroll } from '@/shared/ui'
import classes from './ApiDocs.module.css'
import { errorBody, type Failure, failures } from './reference'

/** Every status and code, when it comes, whether to try again, and an example of its body. */
export function ErrorTable() {
  const { t } = useTranslation('apidocs')
  return (
    <TableScroll label={t('errors')}>
      <Table aria-label={t('errors')} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('status')}</Table.Th>
            <Table.Th>{t('code')}</Table.Th>
            <Table.Th w="45%">{t('when')}</Table.Th>
            <Table.Th>{t('tryAgain')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {failures.map((failure) => (
            <ErrorRow key={failure.code} failure={failure} />
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  )
}

function ErrorRow({ failure }: { failure: Failure }) {
  const { t } = useTranslation('apidocs')
  const { status, code, retry } = failure
  return (
    <Table.Tr className={classes.row}>
      <Table.Td className="panel-numbers">{status}</Table.Td>
      <Table.Td>
        <Code>{code}</Code>
      </Table.Td>
      <Table.Td>
        {t(`error.${code}`)}
        <details className={classes.details}>
          <summary>{t('exampleOf', { code })}</summary>
          <Code block className={classes.body}>
            {errorBody(failure)}
          </Code>
        </details>
      </Table.Td>
      <Table.Td>
        <Text span inherit fw={retry === 'no' ? 400 : 600}>
          {t(`retry.${retry}`)}
        </Text>{' '}
        {t(`retryHow.${retry}`)}
      </Table.Td>
    </Table.Tr>
  )
}
