import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconDownload, IconKey } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { saveFile, TextFile } from '@/shared/download'
import { CopyButton, LossGuard } from '@/shared/ui'
import classes from './SecondFactor.module.css'

/** Shows recovery codes, for the only time. They are kept in the caller's state only, until `onKept`. */
export function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const { t } = useTranslation('secondFactor')
  const shown = useRef<HTMLUListElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
  }, [])
  const text = codes.join('\n')
  const download = () => {
    const file = new TextFile('text/plain')
    file.add(`${t('fileTitle', { host: location.host })}\n\n${text}\n`)
    saveFile(file.blob(), 'agent-chat-recovery-codes.txt')
  }
  return (
    <Alert color="yellow" icon={<IconKey aria-hidden />} role="region" aria-label={t('codes')}>
      <Stack gap="sm">
        <Title order={3} ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          {t('codes')}
        </Title>
        <Text size="md">{t('codesText')}</Text>
        <ul ref={shown} className={`panel-value ${classes.codes}`} data-testid="recovery-codes">
          {codes.map((code) => (
            <li key={code}>
              {code.match(/.{1,20}/g)?.map((half, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a half is its place
                <span key={at}>{half}</span>
              ))}
            </li>
          ))}
        </ul>
        <Group gap="xs">
          <CopyButton value={text} label={t('copyCodes')} shown={shown} />
          <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={download}>
            {t('downloadCodes')}
          </Button>
          <Button onClick={onKept}>{t('kept')}</Button>
        </Group>
        <LossGuard
          title={t('loseTitle')}
          text={t('loseText')}
          keep={t('keep')}
          lose={t('lose')}
          onStay={() => heading.current?.focus()}
          onLeave={onKept}
        />
      </Stack>
    </Alert>
  )
}
