import { CloseButton, Title } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useWide } from '../widths'
import classes from './SidePanel.module.css'

type Props = {
  /** What is open; nothing is without it. */
  id: string | undefined
  title: string
  /** What the head shows instead of the title. */
  heading?: ReactNode
  /** Buttons before the one that closes it. */
  actions?: ReactNode
  /** Whether it is the page's main content, which gets all the room except a column for the list. */
  isMain?: boolean
  /** Facts about it, in a separate column on the widest screens. */
  column?: ReactNode
  /** Closes it. The focus then goes back to the row that it was opened from, or that one stepped to. */
  onClose: () => void
  children: ReactNode
}

/** What a row of a list opens. On wide screens it stands next to the list; on others it lies over it, on a phone over all. The list stays in use. */
export function SidePanel({ id, title, heading, actions, isMain = false, column, onClose, children }: Props) {
  const { t } = useTranslation()
  const wide = useWide()
  const body = useRef<HTMLDivElement>(null)
  const isOpen = id !== undefined
  useReturnToRow(id)
  const close = ({ target }: KeyboardEvent) => isInOverlay(target) || onClose()
  useHotkeys(isOpen ? [['Escape', close, { preventDefault: false }]] : [])
  // The pressed row may be hidden, and the arrow keys should scroll the panel.
  const takesFocus = isOpen && (isMain || !wide)
  useEffect(() => {
    if (takesFocus && document.activeElement?.closest('.panel-row')) body.current?.focus({ preventScroll: true })
  }, [takesFocus])
  if (!isOpen) return null
  return (
    <aside
      role={wide ? undefined : 'dialog'}
      aria-label={title}
      data-side-panel
      className={isMain ? `${classes.panel} ${classes.main}` : classes.panel}
    >
      <div className={classes.head}>
        {heading ?? (
          <Title order={2} className={classes.title}>
            {title}
          </Title>
        )}
        {actions}
        <CloseButton aria-label={t('close')} onClick={onClose} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <div ref={body} className={classes.body} tabIndex={0} data-scrolls>
        {children}
      </div>
      {column}
    </aside>
  )
}

/** Whether a key was pressed in a dialog or a menu, which it closes, or while one is open. */
const isInOverlay = (target: EventTarget | null) => {
  const overlay = '[role="dialog"]:not([data-side-panel]), [role="menu"]'
  return Boolean((target as Element | null)?.closest?.(overlay) ?? document.querySelector(overlay))
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
