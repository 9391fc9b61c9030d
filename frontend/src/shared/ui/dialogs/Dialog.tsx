import { Modal, type ModalProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useToastsWait } from './toasts'
import { useFocusReturn } from './useFocusReturn'

type Props = Omit<ModalProps, 'opened' | 'title' | 'returnFocus' | 'closeButtonProps'> & {
  /** May hold a name that somebody gave. */
  title: string
}

/** A dialog, open while it is mounted. A click outside does not close it: what was typed would be lost. */
export function Dialog({ title, ...rest }: Props) {
  const { t } = useTranslation()
  useFocusReturn()
  useToastsWait()
  return (
    <Modal
      opened
      title={
        <span className="panel-user-text" style={{ display: 'block' }}>
          {title}
        </span>
      }
      closeOnClickOutside={false}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': t('close') }}
      {...rest}
    />
  )
}
