import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconKey } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '@/shared/ui'
import { useKeyGuard } from './useKeyGuard'

type Props = {
  apiKey: string
  /** The export that the key belongs to. */
  exportName: string
  onSaved: () => void
}

/** Shows a new export's full key, for the only time. It is kept in the caller's state only, until `onSaved`. */
export function KeyReveal({ apiKey, exportName, onSaved }: Props) {
  const { t } = useTranslation('exports')
  const shown = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const { asking, stay, leave } = useKeyGuard(true)
  useEffect(() => {
    heading.current?.focus()
  }, [])
  return (
    <Alert
      color="yellow"
      icon={<IconKey aria-hidden />}
      role="region"
      aria-label={t('key.title', { name: exportName })}
    >
      <Stack gap="sm">
        <Title order={4} ref={heading} tabIndex={-1} className="panel-user-text" style={{ outline: 'none' }}>
          {t('key.title', { name: exportName })}
        </Title>
        <Text size="md">{t('key.once')}</Text>
        <code ref={shown} className="panel-value" data-testid="api-key">
          {apiKey}
        </code>
        <Group gap="xs">
          <CopyButton value={apiKey} label={t('key.copy')} shown={shown} />
          <Button onClick={onSaved}>{t('key.saved')}</Button>
        </Group>
        {asking && (
          <LossQuestion
            onStay={() => {
              stay()
              heading.current?.focus()
            }}
            onLeave={() => {
              leave()
              onSaved()
            }}
          />
        )}
      </Stack>
    </Alert>
  )
}

/** Asks inline, not in a dialog on top of the drawer. */
function LossQuestion({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { t } = useTranslation('exports')
  const keep = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    keep.current?.focus()
    keep.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      role="alertdialog"
      aria-label={t('key.loseTitle')}
      title={t('key.loseTitle')}
    >
      <Stack gap="xs">
        <Text size="md">{t('key.loseText')}</Text>
        <Group gap="xs">
          <Button variant="default" onClick={onStay} ref={keep}>
            {t('key.keep')}
          </Button>
          <Button color="red" onClick={onLeave}>
            {t('key.lose')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
