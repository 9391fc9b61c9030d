import { Group, SegmentedControl, Stack, Tabs, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '@/shared/ui'
import classes from '../code.module.css'
import { FirstRequest } from '../FirstRequest'
import { Code } from './Code'
import { OtherClients } from './OtherClients'
import {
  type Called,
  endpoint,
  firstCall,
  keyVariable,
  type Language,
  languages,
  production,
  response,
  sample,
  sampled,
  streaming,
} from './snippets'

const kinds = ['first', 'production', 'streaming', 'clients'] as const
type Kind = (typeof kinds)[number]
const variable = `$${keyVariable}`

type Props = Called & {
  /** An export whose first request the reader waits for. */
  awaited?: string
}

/** How a message is sent: the shortest command, and programs for services. Next to it what comes back. */
export function Snippets({ awaited, ...called }: Props) {
  const { t } = useTranslation('calling')
  const [kind, setKind] = useState<Kind>('first')
  const about = useAbout(kind, called)
  return (
    <Stack gap="xs" className={classes.samples}>
      <SegmentedControl
        aria-label={t('kinds')}
        data={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        value={kind}
        onChange={setKind}
        w="fit-content"
      />
      {about && (
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      )}
      <div className={classes.pair}>
        {kind === 'clients' ? (
          <OtherClients {...called} />
        ) : kind === 'first' ? (
          <Code
            code={firstCall(sample(called))}
            grammar="bash"
            label={t('firstCall')}
            copyLabel={t('copyCommand')}
            head={<Endpoint />}
          />
        ) : (
          <Programs program={kind === 'production' ? production : streaming} {...called} />
        )}
        {awaited ? (
          <FirstRequest key={awaited} exportId={awaited} />
        ) : kind === 'clients' ? null : (
          <div className={classes.response}>
            <Code
              code={response({ streamed: kind === 'streaming', withOutput: called.replySchema != null })}
              grammar="json"
              label={t('response')}
              head={t('response')}
            />
          </div>
        )}
      </div>
    </Stack>
  )
}

/** What a sample does, and where its key comes from. Each of the other clients has its own text. */
function useAbout(kind: Kind, { actions = [] }: Called) {
  const { t } = useTranslation('calling')
  const acts = actions.length > 0
  if (kind === 'clients') return undefined
  if (kind === 'first') return t('kindText.first', { variable })
  if (kind === 'production') return t(acts ? 'kindText.productionActions' : 'kindText.production', { variable })
  return [t('kindText.streaming', { variable }), acts && t('kindText.streamingActions')].filter(Boolean).join(' ')
}

/** The address for messages, which can be copied by itself. */
function Endpoint() {
  const { t } = useTranslation('calling')
  const address = useRef<HTMLElement>(null)
  return (
    <Group gap={4} wrap="nowrap" style={{ minWidth: 0 }}>
      <code ref={address} translate="no" title={t('endpointHelp')} className={classes.endpoint}>
        {endpoint()}
      </code>
      <CopyButton value={endpoint()} label={t('copyEndpoint')} shown={address} iconOnly />
    </Group>
  )
}

/** One program in each language. */
function Programs({
  program,
  variables,
  actions = [],
  replySchema,
  withUserId,
}: Called & { program: typeof production }) {
  const { t } = useTranslation('calling')
  const [language, setLanguage] = useState<Language>('curl')
  const options = {
    names: sampled(variables),
    withUserId,
    actions: actions.map(({ name }) => name),
    withOutput: replySchema != null,
  }
  return (
    <Tabs value={language} onChange={(value) => setLanguage((value ?? 'curl') as Language)} keepMounted={false}>
      <Tabs.List aria-label={t('languages')}>
        {languages.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id} px="sm">
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {languages.map(({ id, label, grammar }) => (
        <Tabs.Panel key={id} value={id} pt="xs">
          <Code
            code={program(id, options)}
            grammar={grammar}
            label={t('program', { language: label })}
            copyLabel={t('copyProgram', { language: label })}
            head={<Endpoint />}
          />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
