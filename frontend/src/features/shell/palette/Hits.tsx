import { Box, UnstyledButton } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import classes from './Palette.module.css'
import { palette } from './typing'
import { type Row, useHits } from './useHits'

type Props = {
  id: string
  text: string
  /** Whether Enter was pressed, which opens the chosen row. */
  entered: boolean
  /** Gets the element ID of the chosen row. */
  onChosen: (id: string) => void
  showKeys: () => void
}

/**
 * The rows of the palette. The top one is chosen until an arrow key or the pointer moves, also when
 * better hits arrive.
 */
export default function Hits({ id, text, entered, onChosen, showKeys }: Props) {
  const typed = text.trim()
  const { groups, settled } = useHits(typed, showKeys)
  const rows = groups.flatMap(({ hits }) => hits)
  const [moved, setMoved] = useState<{ key: string; typed: string }>()
  const picked = rows.findIndex(({ key }) => key === moved?.key && typed === moved.typed)
  const at = Math.max(picked, 0)
  const chosenId = `${id}-${at}`
  const move = (row: Row | undefined) => {
    palette.type(text) // moving takes back an Enter that waits
    if (row) setMoved({ key: row.key, typed })
  }
  const open = (row: Row) => {
    palette.close()
    void row.go()
  }
  useWindowEvent('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step || event.isComposing) return
    event.preventDefault()
    move(rows.at((at + step) % rows.length))
  })
  useEffect(() => {
    onChosen(chosenId)
    document.getElementById(chosenId)?.scrollIntoView({ block: 'nearest' })
  }, [chosenId, onChosen])
  // An ID is typed faster than it is found: if there is nothing else, Enter waits for the answer.
  const chosen = rows[at]
  const ready = settled || picked >= 0 || chosen?.key !== 'text'
  useEffect(() => {
    if (entered && ready && chosen) open(chosen)
  })
  return (
    <Box role="listbox" id={id} key={typed} className={classes.hits}>
      {groups.map(({ title, hits }) => (
        <Box role="group" aria-label={title} key={title}>
          <div className={classes.title} aria-hidden>
            {title}
          </div>
          {hits.map((row) => (
            <UnstyledButton
              role="option"
              aria-selected={row === chosen}
              key={row.key}
              id={`${id}-${rows.indexOf(row)}`}
              tabIndex={-1}
              className={classes.hit}
              onMouseDown={(event) => event.preventDefault()} // the field keeps the focus
              onPointerMove={({ movementX, movementY }) => row !== chosen && (movementX || movementY) && move(row)}
              onClick={() => open(row)}
            >
              <row.Icon size={16} aria-hidden />
              <span className={classes.label}>
                <span translate={row.found ? 'no' : undefined}>{row.label}</span>
                {row.of && <span className={classes.of}>{row.of}</span>}
              </span>
            </UnstyledButton>
          ))}
        </Box>
      ))}
    </Box>
  )
}
