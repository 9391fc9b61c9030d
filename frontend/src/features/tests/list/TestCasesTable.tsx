import { Paper, Switch, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { gql } from '@/shared/gql'
import { ChooseAll, ChooseRow, type Chosen, notifyError, RowLink, Table, TableScroll } from '@/shared/ui'
import { readDocument, withEnabled } from '../document'
import { refreshTests, type TestCase, UpdateTestCaseDocument } from '../queries'
import { PassesText } from './PassesText'

type Props = {
  agentId: string
  cases: TestCase[]
  /** Undefined for viewers, who change nothing. */
  chosen: Chosen | undefined
}

export function TestCasesTable({ agentId, cases, chosen }: Props) {
  const { t } = useTranslation('tests')
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <TableScroll label={t('title')}>
        <Table highlightOnHover horizontalSpacing="xs" miw={560} className="panel-table">
          <Table.Thead>
            <Table.Tr>
              {chosen && <ChooseAll chosen={chosen} />}
              <Table.Th w={64} ta="right">
                {t('column.number')}
              </Table.Th>
              <Table.Th>{t('column.name')}</Table.Th>
              <Table.Th w={80} ta="right">
                {t('column.checks')}
              </Table.Th>
              <Table.Th w={130}>{t('column.last')}</Table.Th>
              <Table.Th w={80}>{t('column.on')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {cases.map((one) => (
              <Row key={one.number} agentId={agentId} testCase={one} chosen={chosen} />
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Paper>
  )
}

type RowProps = { agentId: string; testCase: TestCase; chosen: Chosen | undefined }

function Row({ agentId, testCase, chosen }: RowProps) {
  const { t } = useTranslation('tests')
  const { id, number, document, newestOutcome } = testCase
  const { name, enabled = true, checks = [] } = readDocument(document)
  return (
    <Table.Tr className="panel-row">
      {chosen && <ChooseRow chosen={chosen} id={id} name={t('case', { number })} />}
      <Table.Td data-at="sub" ta={{ base: 'left', sm: 'right' }} className="panel-numbers">
        <span className="panel-phone">{t('column.number')}</span>
        {formatNumber(number)}
      </Table.Td>
      <Table.Td data-at="title">
        <RowLink to="/agents/$id/tests" params={{ id: agentId }} search={{ case: id }}>
          {name}
        </RowLink>
      </Table.Td>
      <Table.Td data-at="sub-end" ta="right" className="panel-numbers">
        {formatNumber(checks.length)}
        <span className="panel-unit" data-unit={t('checksUnit', { count: checks.length })} />
      </Table.Td>
      <Table.Td data-at="more">
        {newestOutcome ? (
          <PassesText {...newestOutcome} />
        ) : (
          <Text inherit c="dimmed">
            {t('notRun')}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-at="more-end">
        {chosen ? <OnSwitch testCase={testCase} /> : t(enabled ? 'onYes' : 'onNo')}
      </Table.Td>
    </Table.Tr>
  )
}

/** Switches a case on or off by editing it. */
function OnSwitch({ testCase: { id, number, document } }: { testCase: TestCase }) {
  const { t } = useTranslation('tests')
  const queryClient = useQueryClient()
  const { enabled = true } = readDocument(document)
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (on: boolean) => gql(UpdateTestCaseDocument, { input: { id, document: withEnabled(document, on) } }),
    onError: notifyError,
    // After a failure too: another member may have changed it.
    onSettled: () => refreshTests(queryClient),
  })
  return (
    <Switch
      className="panel-row-control"
      aria-label={t('onOf', { number })}
      checked={isPending ? variables : enabled}
      onChange={({ currentTarget: { checked } }) => !isPending && mutate(checked)}
    />
  )
}
