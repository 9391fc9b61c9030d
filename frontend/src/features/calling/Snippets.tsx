import { Box, Group, Stack, Tabs, Text } from '@mantine/core'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '@/shared/ui'
import classes from './code.module.css'
import { endpoint, type Language, languages, sampled, snippet } from './snippets'

const HighlightedCode = lazy(() => import('./HighlightedCode'))

type Props = {
  apiKey?: string
  /** What the published version declares. */
  variables: { name: string; required: boolean }[]
  /** Whether messages need a user_id. */
  withUserId: boolean
}

/** The endpoint, and programs that send a message to it. */
export function Snippets({ apiKey, variables, withUserId }: Props) {
  const { t } = useTranslation('exports')
  const [language, setLanguage] = useState<Language>('curl')
  const address = useRef<HTMLElement>(null)
  return (
    <Stack gap="sm">
      <div>
        <Text size="sm" fw={500} mb={4}>
          {t('endpoint')}
        </Text>
        <Group gap="xs" wrap="nowrap" align="center">
          <code className={classes.value} ref={address} style={{ flex: 1, minWidth: 0 }}>
            {endpoint()}
          </code>
          <CopyButton value={endpoint()} label={t('copyEndpoint')} shown={address} iconOnly />
        </Group>
        <Text size="sm" c="dimmed" mt={4}>
          {t('endpointHelp')}
        </Text>
      </div>
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
            <Program
              code={snippet(id, { apiKey, names: sampled(variables), withUserId })}
              label={label}
              grammar={grammar}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  )
}

function Program({
  code,
  label,
  grammar,
}: {
  code: string
  label: string
  grammar: (typeof languages)[number]['grammar']
}) {
  const { t } = useTranslation('exports')
  const shown = useRef<HTMLElement>(null)
  return (
    <Stack gap="xs">
      {/* Long lines scroll in their own box, by keyboard too. */}
      <Box
        component="section"
        className={classes.code}
        tabIndex={0}
        aria-label={t('program', { language: label })}
        data-language={label}
      >
        <pre style={{ margin: 0, font: 'inherit' }}>
          <code ref={shown} style={{ font: 'inherit' }}>
            <Suspense fallback={code}>
              <HighlightedCode code={code} grammar={grammar} />
            </Suspense>
          </code>
        </pre>
      </Box>
      <Group>
        <CopyButton value={code} label={t('copyProgram', { language: label })} shown={shown} size="xs" />
      </Group>
    </Stack>
  )
}
