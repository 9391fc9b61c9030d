import { CloseButton, Drawer, Title } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { usePhone, useWide } from '../widths'
import classes from './SidePanel.module.css'

type Props = {
  /** What is open; nothing is without it. */
  id: string | undefined
  title: string
  /** Buttons beside the one that closes it. */
  actions?: ReactNode
  /** Its most pixels where it lies over the list. */
  width?: number
  /** Closes it. The focus then goes back to the row that it was opened from, or that one stepped to. */
  onClose: () => void
  children: ReactNode
}

/** What a row of a list opens. On wide screens it stands beside the list, which stays in use; on others it lies over it, on a phone over all. */
export function SidePanel({ id, title, actions, width = 560, onClose, children }: Props) {
  const { t } = useTranslation()
  const beside = useWide()
  const phone = usePhone()
  useReturnToRow(id)
  useHotkeys(beside && id !== undefined ? [['Escape', onClose]] : [])
  const close = { 'aria-label': t('close') }
  if (!beside) {
    return (
      <Drawer.Root
        opened={id !== undefined}
        onClose={onClose}
        position="right"
        size={phone ? '100%' : width}
        returnFocus={false}
      >
        <Drawer.Overlay />
        <Drawer.Content aria-label={title}>
          <Drawer.Header className={classes.head}>
            <Drawer.Title>{title}</Drawer.Title>
            {actions}
            <Drawer.CloseButton {...close} ml={0} />
          </Drawer.Header>
          <Drawer.Body pt="md">{children}</Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    )
  }
  if (id === undefined) return null
  return (
    <aside aria-label={title} className={classes.panel}>
      <div className={classes.head}>
        <Title order={2} className={classes.title}>
          {title}
        </Title>
        {actions}
        <CloseButton {...close} onClick={onClose} />
      </div>
      <div className={classes.body}>{children}</div>
    </aside>
  )
}

/** Once it is closed, gives the focus to the row that was open, unless the reader has gone elsewhere. */
export function useReturnToRow(id: string | undefined) {
  const last = useRef<string>(undefined)
  useEffect(() => {
    const closed = id === undefined ? last.current : undefined
    last.current = id
    if (closed === undefined) return
    // After the drawer has released the focus.
    const wait = setTimeout(() => {
      const focused = document.activeElement
      if (focused && !focused.matches('body, #content') && !focused.closest('[role="dialog"], .panel-row')) return
      const rows = Array.from(document.querySelectorAll<HTMLElement>('[data-row]'))
      rows
        .find(({ dataset }) => dataset.row === closed)
        ?.querySelector<HTMLElement>('.panel-row-link')
        ?.focus()
    })
    return () => clearTimeout(wait)
  }, [id])
}
