import { type DragEvent, type ReactNode, useEffect, useState } from 'react'
import classes from './Files.module.css'

type Props = { label: string; onDrop: (files: File[]) => void; children: ReactNode }

/** Whether files are dragged over the zone itself: what dialogs above it get passes here, too. */
const isOver = (event: DragEvent) => hasFiles(event) && event.currentTarget.contains(event.target as Node)

const hasFiles = ({ dataTransfer }: { dataTransfer: DataTransfer | null }) =>
  dataTransfer?.types.includes('Files') ?? false

/** A part of the page onto which files can be dropped. */
export function DropZone({ label, onDrop, children }: Props) {
  const [over, setOver] = useState(false)
  useKeepPage()
  const leave = ({ currentTarget, relatedTarget }: DragEvent) => {
    if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false)
  }
  const drop = (event: DragEvent) => {
    setOver(false)
    if (isOver(event)) onDrop(Array.from(event.dataTransfer.files))
  }
  return (
    <section
      aria-label={label}
      className={classes.zone}
      data-over={over || undefined}
      onDragOver={(event) => isOver(event) && setOver(true)}
      onDragLeave={leave}
      onDrop={drop}
    >
      {children}
    </section>
  )
}

/** Without this, the browser replaces the panel with a file that is dropped outside the zone. */
function useKeepPage() {
  useEffect(() => {
    const keep = (event: globalThis.DragEvent) => {
      if (hasFiles(event)) event.preventDefault()
    }
    window.addEventListener('dragover', keep)
    window.addEventListener('drop', keep)
    return () => {
      window.removeEventListener('dragover', keep)
      window.removeEventListener('drop', keep)
    }
  }, [])
}
