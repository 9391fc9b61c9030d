import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton, LossGuard } from '@/shared/ui'

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
        <LossGuard
          title={t('key.loseTitle')}
          text={t('key.loseText')}
          keep={t('key.keep')}
          lose={t('key.lose')}
          onStay={() => heading.current?.focus()}
          onLeave={onSaved}
        />
      </Stack>
    </Alert>
  )
}
