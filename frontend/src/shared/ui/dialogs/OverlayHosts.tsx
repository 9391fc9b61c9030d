import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import '@mantine/notifications/styles.layer.css'

export default function OverlayHosts({ onReady }: { onReady: () => void }) {
  const { t } = useTranslation()
  useEffect(onReady, [onReady])
  return (
    <>
      <ModalsProvider modalProps={{ closeButtonProps: { 'aria-label': t('close') } }}>{null}</ModalsProvider>
      <Notifications position="bottom-left" containerWidth={360} transitionDuration={150} />
    </>
  )
}
