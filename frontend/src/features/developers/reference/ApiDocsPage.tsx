import { Alert, Anchor, Badge, Code, Group, List, Paper, Stack, Text, Title } from '@mantine/core'
import { IconServer } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { MarkdownText } from '@/shared/markdown'
import { AppLink, CopyButton, Page, Table, TableScroll } from '@/shared/ui'
import { DevelopersFrame } from '../DevelopersFrame'
import classes from './ApiDocs.module.css'
import { ErrorTable } from './ErrorTable'
import { Example } from './Example'
import {
  curlExample,
  type Definition,
  overview,
  path,
  replyExample,
  replyFields,
  replyHeaders,
  requestFields,
  requestHeaders,
  requestText,
  streamExample,
  summary,
} from './reference'

const sections = ['overview', 'request', 'reply', 'errors', 'retries'] as const

/** The public API's reference, with this server's address. The other pages for developers are for who is signed in. */
export function ApiDocsPage({ signedIn }: { signedIn: boolean }) {
  const { t } = useTranslation('apidocs')
  const { origin } = window.location
  const Frame = signedIn ? DevelopersFrame : Page
  const file = (
    <Anchor href="/openapi.yaml" target="_blank" rel="noopener">
      {t('openapi')}
    </Anchor>
  )
  return (
    <Frame title={t('title')} description={summary} actions={file}>
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
          <AppLink key={name} to="/developers/reference" hash={name}>
            {t(name)}
          </AppLink>
        ))}
      </Group>
      <Section name="overview">
        <Prose text={overview} />
      </Section>
      <Section name="request">
        <Prose text={requestText} />
        <Title order={3}>{t('headers')}</Title>
        <Definitions label={t('requestHeadersLabel')} rows={requestHeaders} />
        <Title order={3}>{t('fields')}</Title>
        <Definitions label={t('requestFieldsLabel')} rows={requestFields} />
        <Example title={t('exampleRequest')} code={curlExample(origin)} />
      </Section>
      <Section name="reply">
        <Example title={t('exampleReply')} code={replyExample} />
        <Title order={3}>{t('fields')}</Title>
        <Definitions label={t('replyFieldsLabel')} rows={replyFields} />
        <Title order={3}>{t('headers')}</Title>
        <Definitions label={t('replyHeadersLabel')} rows={replyHeaders} />
        <Example title={t('exampleStream')} code={streamExample} />
      </Section>
      <Section name="errors">
        <ErrorTable />
      </Section>
      <Section name="retries">
        <List spacing="xs">
          {t('retryLines', { returnObjects: true }).map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
        </List>
      </Section>
      <Text size="sm" c="dimmed">
        {t('foot')} {file}
      </Text>
    </Frame>
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

/** A text of the contract, which is Markdown. */
function Prose({ text }: { text: string }) {
  const { t } = useTranslation('apidocs')
  return <MarkdownText text={text} blockLabel={t('title')} />
}

function Definitions({ label, rows }: { label: string; rows: Definition[] }) {
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
          {rows.map(({ name, type, required, text }) => (
            <Table.Tr key={name} className={classes.row}>
              <Table.Td>
                <Code>{name}</Code>
                {type && (
                  <Badge ml={8} color="gray" miw="max-content">
                    {type}
                  </Badge>
                )}
                {required && (
                  <Badge ml={8} color="indigo" miw="max-content">
                    {t('required')}
                  </Badge>
                )}
              </Table.Td>
              <Table.Td>
                <Prose text={text} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  )
}
