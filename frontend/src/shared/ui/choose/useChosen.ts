import { useRef, useState } from 'react'

/** The rows of a list that are chosen. A row that is not on show any more is not. */
export type Chosen<Row = { id: string }> = ReturnType<typeof useChosen<Row & { id: string }>>

export function useChosen<Row extends { id: string }>(all: readonly Row[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string>(undefined)
  const rows = all.filter(({ id }) => ids.has(id))

  /** Chooses a row or leaves it; with `range` also those between it and the row before it. */
  const choose = (id: string, on: boolean, range: boolean) => {
    const placeOf = (one: string | undefined) => all.findIndex((row) => row.id === one)
    const [at, from] = [placeOf(id), range ? placeOf(last.current) : -1]
    const some = from < 0 ? [id] : all.slice(Math.min(at, from), Math.max(at, from) + 1).map((row) => row.id)
    last.current = id
    const next = new Set(ids)
    for (const one of some) on ? next.add(one) : next.delete(one)
    setIds(next)
  }

  return {
    rows,
    has: (id: string) => ids.has(id),
    isAll: rows.length > 0 && rows.length === all.length,
    choose,
    chooseAll: (on: boolean) => setIds(new Set(on ? all.map(({ id }) => id) : [])),
  }
}
