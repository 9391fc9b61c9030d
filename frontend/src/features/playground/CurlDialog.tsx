import { Code, Group, Modal, Stack, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Agent } from '@/features/agents'
import { newRequestId } from '@/shared/gql'
import { AppLink, CopyButton, useFocusReturn } from '@/shared/ui'
import { curlOf } from './curl'
import type { Entry } from './entries'

type Props = { entry: Entry; sessionId: string; agent: Agent; onClose: () => void }

/** A playground message as a call to the public API. */
export default function CurlDialog({ entry, sessionId, agent, onClose }: Props) {
  const { t } = useTranslation('playground')
  const shown = useRef<HTMLElement>(null)
  useFocusReturn()
  const { message, variables, userId } = entry
  const [idempotencyKey] = useState(() => entry.idempotencyKey || newRequestId())
  const command = curlOf({ origin: window.location.origin, message, sessionId, variables, userId, idempotencyKey })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('asCurl')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('close', { ns: 'common' }) }}
    >
      <Stack gap="sm">
        <Text>
          {agent.state === 'LIVE' ? t('curlText') : t('curlDraft')}{' '}
          <AppLink to="/agents/$id" params={{ id: agent.id }} search={{ node: 'channels' }} underline="always" inherit>
            {t('curlChannels')}
          </AppLink>
        </Text>
        <Code
          ref={shown}
          block
          tabIndex={0}
          role="region"
          aria-label={t('curlCommand')}
          className="panel-user-text"
          mah={320}
          style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }}
        >
          {command}
        </Code>
        <Text size="sm" c="dimmed">
          {t('curlNote')}
        </Text>
        <Group justify="space-between" gap="xs">
          <AppLink to="/api-docs">{t('apiReference')}</AppLink>
          <CopyButton value={command} shown={shown} label={t('copyCommand')} data-autofocus />
        </Group>
      </Stack>
    </Modal>
  )
}
