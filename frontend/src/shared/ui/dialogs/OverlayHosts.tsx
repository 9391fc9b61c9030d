import { ModalsProvider } from '@mantine/modals'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

export default function OverlayHosts({ onReady }: { onReady: () => void }) {
  const { t } = useTranslation()
  useEffect(onReady, [onReady])
  return <ModalsProvider modalProps={{ closeButtonProps: { 'aria-label': t('close') } }}>{null}</ModalsProvider>
}
