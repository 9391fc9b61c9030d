import { lineChanges } from '@/features/versions'
import type { ActionValues } from '../actions/actionValues'
import type { VariableValues } from '../variableValues'

type Values = Record<string, unknown>

/** Which version of a part is taken: with `both`, theirs and then mine. */
export type Side = 'theirs' | 'mine' | 'both'

/** What was chosen of each clash, by its ID; mine where nothing was. */
export type Choices = Record<string, Side>

/** What has a name among its like. */
type Row = VariableValues | ActionValues

/** A part that was changed here and elsewhere: lines of a text, a variable or an action, or a value. */
export type Clash = { id: string; field: string } & (
  | { kind: 'lines'; line: number; mine: string; theirs: string }
  | { kind: 'row'; name: string; mine?: Row; theirs?: Row }
  | { kind: 'value'; mine: unknown; theirs: unknown }
)

export type Merged<V> = {
  clashes: Clash[]
  /** The fields that were changed on one side only, or in different places. */
  fitting: { field: string; side: 'mine' | 'theirs' | 'both' }[]
  settle: (choices: Choices) => V
}

type Part = { clashes: Clash[]; value: (choices: Choices) => unknown }

/** Fields of many lines, and those of rows. */
const texts = ['instructions', 'description']
const lists = ['variables', 'actions']

type Same = (field: string, a: unknown, b: unknown) => boolean

/** Puts together what two sides made of the same values: lines of texts, variables and actions one by one, other fields as a whole. */
export function merge<V extends Values>(base: V, mine: V, theirs: V, same: Same): Merged<V> {
  const fitting: Merged<V>['fitting'] = []
  const parts = Object.keys(mine).map((field): [string, Part] => {
    const sides = [base[field], mine[field], theirs[field]] as const
    if (same(field, mine[field], theirs[field])) return [field, fixed(mine[field])]
    if (same(field, theirs[field], base[field])) {
      fitting.push({ field, side: 'mine' })
      return [field, fixed(mine[field])]
    }
    if (same(field, mine[field], base[field])) {
      fitting.push({ field, side: 'theirs' })
      return [field, fixed(theirs[field])]
    }
    const part = mergeField(field, ...sides)
    if (part.clashes.length === 0) fitting.push({ field, side: 'both' })
    return [field, part]
  })
  return {
    clashes: parts.flatMap(([, { clashes }]) => clashes),
    fitting,
    settle: (choices) => Object.fromEntries(parts.map(([field, { value }]) => [field, value(choices)])) as V,
  }
}

const fixed = (value: unknown): Part => ({ clashes: [], value: () => value })

function mergeField(field: string, base: unknown, mine: unknown, theirs: unknown): Part {
  if (texts.includes(field)) return mergeText(field, String(base), String(mine), String(theirs))
  if (lists.includes(field)) return mergeRows(field, base as Row[], mine as Row[], theirs as Row[])
  const clash: Clash = { id: field, field, kind: 'value', mine, theirs }
  return { clashes: [clash], value: (choices) => (choices[field] === 'theirs' ? theirs : mine) }
}

/** A change of some lines: those from one line to before another are replaced. */
type Hunk = { from: number; to: number; lines: string[] }

function hunksOf(base: string[], side: string[]): Hunk[] {
  const hunks: Hunk[] = []
  let open: Hunk | undefined
  let at = 0
  for (const { value, added, removed } of lineChanges(base, side)) {
    if (!added && !removed) open = undefined
    else if (!open) {
      open = { from: at, to: at, lines: [] }
      hunks.push(open)
    }
    if (added) open?.lines.push(...value)
    else at += value.length
    if (removed && open) open.to = at
  }
  return hunks
}

/** The lines with which a side replaces a range. */
function linesIn(base: string[], hunks: Hunk[], from: number, to: number): string[] {
  const lines: string[] = []
  let at = from
  for (const hunk of hunks) {
    lines.push(...base.slice(at, hunk.from), ...hunk.lines)
    at = hunk.to
  }
  return [...lines, ...base.slice(at, to)]
}

/** Changes of the same lines clash, and lines that both put at the same place; all others fit together. */
function mergeText(field: string, base: string, mine: string, theirs: string): Part {
  const lines = base.split('\n')
  const ours = hunksOf(lines, mine.split('\n'))
  const others = hunksOf(lines, theirs.split('\n'))
  const clashes: Clash[] = []
  const chunks: ((choices: Choices) => string[])[] = []
  let at = 0
  let shift = 0
  for (const { from, to } of groups([...ours, ...others])) {
    const within = (hunk: Hunk) => hunk.from >= from && hunk.to <= to
    const [left, right] = [ours.filter(within), others.filter(within)]
    const here = linesIn(lines, left, from, to)
    const there = linesIn(lines, right, from, to)
    const before = lines.slice(at, from)
    chunks.push(() => before)
    if (left.length === 0) chunks.push(() => there)
    else if (right.length === 0 || here.join('\n') === there.join('\n')) chunks.push(() => here)
    else {
      const id = `${field} ${from}`
      clashes.push({
        id,
        field,
        kind: 'lines',
        line: from + shift + 1,
        mine: here.join('\n'),
        theirs: there.join('\n'),
      })
      chunks.push(({ [id]: side }) => (side === 'theirs' ? there : side === 'both' ? [...there, ...here] : here))
    }
    shift += here.length - (to - from)
    at = to
  }
  const rest = lines.slice(at)
  return { clashes, value: (choices) => [...chunks.flatMap((chunk) => chunk(choices)), ...rest].join('\n') }
}

/** The ranges of changes that overlap, or of which one puts lines where the other ends or begins. */
function groups(hunks: Hunk[]): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = []
  for (const { from, to } of hunks.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const last = found.at(-1)
    const insertion = from === to || last?.from === last?.to
    if (last && (from < last.to || (from === last.to && insertion))) last.to = Math.max(last.to, to)
    else found.push({ from, to })
  }
  return found
}

/** Rows are one by their name. Those that have none yet, or one twice, are new ones. */
function byName(rows: Row[]) {
  const isNew = (name: string, at: number) => name === '' || rows.findIndex((row) => row.name === name) !== at
  return new Map(rows.map((row, at) => [isNew(row.name, at) ? `new ${at}` : `named ${row.name}`, row]))
}

const alike = (a?: Row, b?: Row) => JSON.stringify(a) === JSON.stringify(b)

function mergeRows(field: string, base: Row[], mine: Row[], theirs: Row[]): Part {
  const [before, here, there] = [byName(base), byName(mine), byName(theirs)]
  const clashes: Clash[] = []
  const rows = [...orderOf(before, here, there)].map((key) => {
    const [was, left, right] = [before.get(key), here.get(key), there.get(key)]
    if (alike(left, right) || alike(right, was)) return () => left
    if (alike(left, was)) return () => right
    const id = `${field} ${key}`
    clashes.push({ id, field, kind: 'row', name: (left ?? right)?.name ?? '', mine: left, theirs: right })
    return ({ [id]: side }: Choices) => (side === 'theirs' ? right : left)
  })
  return { clashes, value: (choices) => rows.map((row) => row(choices)).filter((row) => row !== undefined) }
}

/** My order if I changed it, else theirs; what only the other side has comes last. */
function orderOf(...[base, mine, theirs]: Map<string, unknown>[]): Set<string> {
  const [was = [], here = [], there = []] = [base, mine, theirs].map((rows) => [...(rows?.keys() ?? [])])
  const known = here.filter((key) => was.includes(key)).join('\n')
  const moved = known !== was.filter((key) => here.includes(key)).join('\n')
  return new Set(moved ? [...here, ...there] : [...there, ...here])
}
