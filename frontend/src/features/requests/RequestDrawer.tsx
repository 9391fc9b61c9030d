import { Drawer } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryView } from '@/shared/ui'
import { requestQuery } from './queries'
import { RequestDetails } from './RequestDetails'

/** The side panel with one request, while there is an ID. */
export function RequestDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { t } = useTranslation('requests')
  const last = useRef('')
  if (id) last.current = id
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      size="min(100%, 560px)"
      title={t('request')}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'common' }) }}
    >
      {last.current && <Found id={last.current} />}
    </Drawer>
  )
}

function Found({ id }: { id: string }) {
  const query = useQuery(requestQuery(id))
  return <QueryView query={query}>{({ request }) => <RequestDetails request={request} />}</QueryView>
}
