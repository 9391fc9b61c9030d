import { Alert, Anchor, Box, Code, Group, List, NativeSelect, Text, Title } from '@mantine/core'
import { IconServer } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, Suspense, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { MarkdownText } from '@/shared/markdown'
import { CopyButton, LoadingState, NavItemLink, Page } from '@/shared/ui'
import { DevelopersFrame } from '../DevelopersFrame'
import classes from './ApiDocs.module.css'
import { ErrorTable } from './ErrorTable'
import { Example } from './Example'
import { Fields } from './Fields'
import { Quickstart } from './Quickstart'
import {
  curlExample,
  overview,
  path,
  replyExample,
  replyFields,
  replyHeaders,
  requestFields,
  requestHeaders,
  requestText,
  rules,
  streamExample,
  streamText,
  summary,
} from './reference'

const route = getRouteApi('/developers/')
const parts = ['quickstart', 'request', 'reply', 'streaming', 'errors', 'retries', 'rules'] as const

type Part = (typeof parts)[number]

/** The public API's reference, with this server's address. The quickstart and the other API are for who is signed in. */
export function ApiDocsPage({ signedIn }: { signedIn: boolean }) {
  const { t } = useTranslation('apidocs')
  const { origin } = window.location
  const Frame = signedIn ? DevelopersFrame : Page
  const file = (
    <Anchor href="/openapi.yaml" target="_blank" rel="noopener" underline="always">
      {t('openapi')}
    </Anchor>
  )
  return (
    <Frame title={t('title')} description={summary} actions={file}>
      <div className={classes.page}>
        <Contents names={signedIn ? parts : parts.slice(1)} />
        <div className={classes.sections}>
          {signedIn && (
            <Section name="quickstart">
              {/* Its strings may come later than the page's. */}
              <Suspense fallback={<LoadingState />}>
                <Quickstart />
              </Suspense>
            </Section>
          )}
          <Section name="request" code={<Example title={t('exampleRequest')} code={curlExample(origin)} />}>
            <Alert role="note" icon={<IconServer aria-hidden />} title={t('fromServer')}>
              {t('fromServerText')}
            </Alert>
            <Group gap="xs" justify="space-between">
              <Code fz="sm" className="panel-user-text" flex="1 1 300px" maw="max-content">
                POST {origin}
                {path}
              </Code>
              <CopyButton value={`${origin}${path}`} label={t('copyAddress')} size="xs" />
            </Group>
            <Prose text={requestText} />
            <Title order={3}>{t('fields')}</Title>
            <Fields rows={requestFields} />
            <Title order={3}>{t('headers')}</Title>
            <Fields rows={requestHeaders} />
          </Section>
          <Section name="reply" code={<Example title={t('exampleReply')} code={replyExample} />}>
            <Title order={3}>{t('fields')}</Title>
            <Fields rows={replyFields} />
            <Title order={3}>{t('headers')}</Title>
            <Fields rows={replyHeaders} />
          </Section>
          <Section name="streaming" code={<Example title={t('exampleStream')} code={streamExample} />}>
            <Prose text={streamText} />
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
          <Section name="rules">
            <Prose text={overview} />
            {/* Setup instructions that developers were sent lead to this ID. */}
            <div id="overview" className={classes.rules}>
              {rules.map(({ name, text }) => (
                <details key={name}>
                  <summary>{name}</summary>
                  <Prose text={text} />
                </details>
              ))}
            </div>
          </Section>
          <Text size="sm" c="dimmed">
            {t('foot')} {file}
          </Text>
        </div>
      </div>
    </Frame>
  )
}

/** Links to the parts of the page; where they have no room of their own, a list to choose from. */
function Contents({ names }: { names: readonly Part[] }) {
  const { t } = useTranslation('apidocs')
  const navigate = route.useNavigate()
  return (
    <>
      <Box component="nav" visibleFrom="lg" className={classes.anchors} aria-label={t('contents')}>
        {names.map((name) => (
          <NavItemLink
            key={name}
            to="/developers"
            search={true}
            hash={name}
            label={t(name)}
            activeOptions={{ exact: true, includeHash: true, includeSearch: false }}
            activeProps={{ active: true }}
          />
        ))}
      </Box>
      <NativeSelect
        hiddenFrom="lg"
        aria-label={t('contents')}
        data={[{ value: '', label: t('contents') }, ...names.map((name) => ({ value: name, label: t(name) }))]}
        value=""
        onChange={({ currentTarget: { value: hash } }) => void navigate({ search: true, hash })}
      />
    </>
  )
}

type SectionProps = {
  name: Part
  /** Next to the rest on a wide screen, otherwise below it. */
  code?: ReactNode
  children: ReactNode
}

function Section({ name, code, children }: SectionProps) {
  const { t } = useTranslation('apidocs')
  const titleId = useId()
  return (
    <section id={name} aria-labelledby={titleId} className={classes.section} data-code={code !== undefined}>
      <Title order={2} id={titleId}>
        {t(name)}
      </Title>
      <div className={classes.text}>{children}</div>
      {code && <div className={classes.code}>{code}</div>}
    </section>
  )
}

/** A text of the contract, which is Markdown. */
function Prose({ text }: { text: string }) {
  const { t } = useTranslation('apidocs')
  return <MarkdownText text={text} blockLabel={t('title')} />
}
