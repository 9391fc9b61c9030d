import { Button, Group, Stack, Text } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useServiceInfo } from '@/features/auth'
import { CopyButton, Dialog } from '@/shared/ui'

export type Invited = { email: string; link: string }

/** The link of an invitation, which is shown only now. Loaded on first use. */
export default function LinkDialog({ email, link, onClose }: Invited & { onClose: () => void }) {
  const { t } = useTranslation('members')
  const shown = useRef<HTMLElement>(null)
  const mail = useServiceInfo().data?.mail
  return (
    <Dialog title={t('linkTitle', { email })} onClose={onClose}>
      <Stack gap="md">
        <Text>{t(mail ? 'linkMailed' : 'linkByHand')}</Text>
        <code translate="no" className="panel-value" ref={shown} data-testid="invitation-link">
          {link}
        </code>
        <Text size="sm" c="dimmed">
          {t('linkOnce')}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('close', { ns: 'common' })}
          </Button>
          <CopyButton value={link} label={t('copyLink')} shown={shown} data-autofocus />
        </Group>
      </Stack>
    </Dialog>
  )
}
