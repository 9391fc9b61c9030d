import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { LossGuard } from '../dialogs/LossGuard'
import { CopyButton } from '../texts/CopyButton'

type Props = {
  apiKey: string
  /** The export that the key belongs to; the name of a token; the URL of a webhook. */
  exportName: string
  /** What is shown: `token` for an account token, `webhook` for the secret of a webhook. */
  kind?: 'key' | 'token' | 'webhook'
  onSaved: () => void
}

/** Shows a full key of an export, an account token, or the secret of a webhook, for the only time. It is kept in the caller's state only, until `onSaved`. */
export function KeyReveal({ apiKey, exportName, kind = 'key', onSaved }: Props) {
  const { t } = useTranslation('exports')
  const shown = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
  }, [])
  return (
    <Alert
      color="yellow"
      icon={<IconKey aria-hidden />}
      role="region"
      aria-label={t(`${kind}.title`, { name: exportName })}
    >
      <Stack gap="sm">
        <Title order={4} ref={heading} tabIndex={-1} className="panel-user-text" style={{ outline: 'none' }}>
          {t(`${kind}.title`, { name: exportName })}
        </Title>
        <Text size="md">{t(`${kind}.once`)}</Text>
        <code ref={shown} translate="no" className="panel-value" data-testid="api-key">
          {apiKey}
        </code>
        <Group gap="xs">
          <CopyButton value={apiKey} label={t(`${kind}.copy`)} shown={shown} />
          <Button onClick={onSaved}>{t(`${kind}.saved`)}</Button>
        </Group>
        <LossGuard
          title={t(`${kind}.loseTitle`)}
          text={t(`${kind}.loseText`)}
          keep={t(`${kind}.keep`)}
          lose={t(`${kind}.lose`)}
          onStay={() => heading.current?.focus()}
          onLeave={onSaved}
        />
      </Stack>
    </Alert>
  )
}
