import { Group, Stack, Tabs, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '@/shared/ui'
import { FirstCall } from '../FirstCall'
import { Code } from './Code'
import {
  type Called,
  endpoint,
  keyVariable,
  type Language,
  languages,
  production,
  sampled,
  streaming,
} from './snippets'

const kinds = ['first', 'production', 'streaming'] as const
type Kind = (typeof kinds)[number]
const variable = `$${keyVariable}`

type Props = Called & {
  apiKey?: string
  /** An export whose first request the reader waits for. */
  awaited?: string
}

/** The endpoint, and how a message is sent to it: the shortest command, and programs for services. */
export function Snippets({ apiKey, awaited, ...called }: Props) {
  const { t } = useTranslation('calling')
  const [kind, setKind] = useState<Kind>('first')
  const acts = (called.actions ?? []).length > 0
  const productionText = t(acts ? 'kindText.productionActions' : 'kindText.production', { variable })
  const streamingText = [t('kindText.streaming', { variable }), acts && t('kindText.streamingActions')]
    .filter(Boolean)
    .join(' ')
  const address = useRef<HTMLElement>(null)
  return (
    <Stack gap="sm">
      <Tabs value={kind} onChange={(value) => setKind((value ?? 'first') as Kind)} variant="pills" keepMounted={false}>
        <Tabs.List aria-label={t('kinds')}>
          {kinds.map((value) => (
            <Tabs.Tab key={value} value={value} px="sm">
              {t(`kind.${value}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="first" pt="sm">
          <FirstCall apiKey={apiKey} awaited={awaited} {...called} />
        </Tabs.Panel>
        <Tabs.Panel value="production" pt="sm">
          <Programs program={production} text={productionText} {...called} />
        </Tabs.Panel>
        <Tabs.Panel value="streaming" pt="sm">
          <Programs program={streaming} text={streamingText} {...called} />
        </Tabs.Panel>
      </Tabs>
      <div>
        <Text size="sm" fw={500} mb={4}>
          {t('endpoint')}
        </Text>
        <Group gap="xs" wrap="nowrap" align="center">
          <code translate="no" className="panel-value" ref={address} style={{ flex: 1, minWidth: 0 }}>
            {endpoint()}
          </code>
          <CopyButton value={endpoint()} label={t('copyEndpoint')} shown={address} iconOnly />
        </Group>
        <Text size="sm" c="dimmed" mt={4}>
          {t('endpointHelp')}
        </Text>
      </div>
    </Stack>
  )
}

/** One program in each language. */
function Programs({
  program,
  text,
  variables,
  actions = [],
  replySchema,
  withUserId,
}: Called & { program: typeof production; text: string }) {
  const { t } = useTranslation('calling')
  const [language, setLanguage] = useState<Language>('curl')
  const options = {
    names: sampled(variables),
    withUserId,
    actions: actions.map(({ name }) => name),
    withOutput: replySchema != null,
  }
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {text}
      </Text>
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
            />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  )
}
