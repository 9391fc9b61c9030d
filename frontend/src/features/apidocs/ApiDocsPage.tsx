import { Alert, Anchor, Badge, Code, Group, List, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { IconServer } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink, CopyButton, Page, TableScroll } from '@/shared/ui'
import classes from './ApiDocs.module.css'
import { ErrorTable } from './ErrorTable'
import { Example } from './Example'
import {
  curlExample,
  path,
  replyBody,
  replyFields,
  replyHeaders,
  requestFields,
  requestHeaders,
  streamBody,
  streamEvents,
} from './reference'

const sections = ['request', 'reply', 'stream', 'errors', 'retries', 'promises'] as const

/** The public API's reference, with this server's address. */
export function ApiDocsPage() {
  const { t } = useTranslation('apidocs')
  const { origin } = window.location
  const file = (
    <Anchor href="/openapi.yaml" target="_blank" rel="noopener">
      {t('openapi')}
    </Anchor>
  )
  return (
    <Page title={t('title')} description={t('description')} actions={file}>
      <Alert role="note" icon={<IconServer aria-hidden />} title={t('fromServer')}>
        {t('fromServerText')}
      </Alert>
      <Paper p="md">
        <Group gap="xs" justify="space-between">
          <Code fz="sm" className="panel-user-text">
            POST {origin}
            {path}
          </Code>
          <CopyButton value={`${origin}${path}`} label={t('copyAddress')} size="xs" />
        </Group>
      </Paper>
      <Group component="nav" gap="md" aria-label={t('contents')}>
        {sections.map((name) => (
          <AppLink key={name} to="/api-docs" hash={name}>
            {t(name)}
          </AppLink>
        ))}
      </Group>
      <Section name="request">
        <Text>{t('requestText')}</Text>
        <Title order={3}>{t('headers')}</Title>
        <Definitions
          label={t('requestHeadersLabel')}
          rows={requestHeaders.map(({ name, required }) => ({
            name,
            type: t(required ? 'required' : 'optional'),
            text: t(`requestHeader.${name}`),
          }))}
        />
        <Title order={3}>{t('fields')}</Title>
        <Definitions
          label={t('requestFieldsLabel')}
          rows={requestFields.map(({ name, type, required }) => ({
            name,
            type: `${type}, ${t(required ? 'required' : 'optional')}`,
            text: t(`requestField.${name}`),
          }))}
        />
        <Text>{t('unknownFields')}</Text>
        <Example title={t('exampleRequest')} code={curlExample(origin)} />
        <Text size="sm" c="dimmed">
          {t('whereKey')}
        </Text>
      </Section>
      <Section name="reply">
        <Text>{t('replyText')}</Text>
        <Example title={t('exampleReply')} code={JSON.stringify(replyBody, null, 2)} />
        <Title order={3}>{t('fields')}</Title>
        <Definitions
          label={t('replyFieldsLabel')}
          rows={replyFields.map(({ name, type }) => ({
            name,
            type,
            text: t(`replyField.${name.replace('.', '_')}` as 'replyField.reply'),
          }))}
        />
        <Title order={3}>{t('headers')}</Title>
        <Definitions
          label={t('replyHeadersLabel')}
          rows={replyHeaders.map((name) => ({ name, text: t(`replyHeader.${name}`) }))}
        />
      </Section>
      <Section name="stream">
        <Text>{t('streamText')}</Text>
        <Definitions
          label={t('streamEvents')}
          rows={streamEvents.map((name) => ({ name, text: t(`streamEvent.${name}`) }))}
        />
        <Text>{t('streamLines')}</Text>
        <Example title={t('exampleStream')} code={streamBody} />
      </Section>
      <Section name="errors">
        <Text>{t('errorsText')}</Text>
        <ErrorTable />
      </Section>
      <Section name="retries">
        <Lines of={t('retryLines', { returnObjects: true })} />
      </Section>
      <Section name="promises">
        <Lines of={t('promiseLines', { returnObjects: true })} />
      </Section>
      <Text size="sm" c="dimmed">
        {t('foot')} {file}
      </Text>
      <Text size="sm" c="dimmed">
        {t('explorerText')}{' '}
        <Anchor href="/explorer" inherit underline="always">
          {t('explorer')}
        </Anchor>
      </Text>
    </Page>
  )
}

function Section({ name, children }: { name: (typeof sections)[number]; children: ReactNode }) {
  const { t } = useTranslation('apidocs')
  const titleId = useId()
  return (
    <Paper p="md" component="section" id={name} aria-labelledby={titleId} className={classes.section}>
      <Stack gap="sm" align="stretch">
        <Title order={2} id={titleId}>
          {t(name)}
        </Title>
        {children}
      </Stack>
    </Paper>
  )
}

function Lines({ of }: { of: readonly string[] }) {
  return (
    <List spacing="xs">
      {of.map((line) => (
        <List.Item key={line}>{line}</List.Item>
      ))}
    </List>
  )
}

type Row = { name: string; type?: string; text: string }

function Definitions({ label, rows }: { label: string; rows: Row[] }) {
  const { t } = useTranslation('apidocs')
  return (
    <TableScroll label={label}>
      <Table aria-label={label} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="30%">{t('name')}</Table.Th>
            <Table.Th>{t('meaning')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ name, type, text }) => (
            <Table.Tr key={name} className={classes.row}>
              <Table.Td>
                <Code>{name}</Code>
                {type && (
                  <Badge ml={8} color="gray" miw="max-content">
                    {type}
                  </Badge>
                )}
              </Table.Td>
              <Table.Td>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  )
}
