import { type ArrayChange, diffArrays, diffWordsWithSpace } from 'diff'

/** A part of a line; `changed` marks the words in which it differs from the other version of the line. */
export type Piece = { text: string; changed: boolean }

/** A line with its number: in the old text if it was removed, otherwise in the new one. */
export type Line = { kind: 'same' | 'added' | 'removed'; number: number; pieces: Piece[] }

// The time grows with the square of these. Texts that differ more are shown as one removed and one added.
const maxLineEdits = 1_500
const maxWordEdits = 300

/** The differences of two texts, line by line. */
export function lineDiff(before: string, after: string): Line[] {
  const lines: Line[] = []
  const next = { old: 1, new: 1 }
  const changes = lineChanges(linesOf(before), linesOf(after))
  for (const [at, change] of changes.entries()) {
    const paired = partner(changes, at)
    for (const [place, text] of change.value.entries()) {
      if (!change.added) next.old++
      if (!change.removed) next.new++
      const other = paired?.[place]
      lines.push({
        kind: change.added ? 'added' : change.removed ? 'removed' : 'same',
        number: (change.removed ? next.old : next.new) - 1,
        pieces: other === undefined ? [{ text, changed: false }] : pieces(other, text),
      })
    }
  }
  return lines
}

const linesOf = (text: string) => (text === '' ? [] : text.split('\n'))

/** How a list of lines becomes another. */
export function lineChanges(before: string[], after: string[]): ArrayChange<string>[] {
  return (
    diffArrays(before, after, { maxEditLength: maxLineEdits }) ?? [
      { value: before, removed: true, added: false, count: before.length },
      { value: after, removed: false, added: true, count: after.length },
    ]
  )
}

/** The numbers of lines that are added and removed. */
export function lineCounts(before: string, after: string) {
  const counts = { added: 0, removed: 0 }
  for (const { added, removed, value } of lineChanges(linesOf(before), linesOf(after))) {
    if (added) counts.added += value.length
    if (removed) counts.removed += value.length
  }
  return counts
}

/** The lines that a change replaces or is replaced by, if there are as many. */
function partner(changes: ArrayChange<string>[], at: number): string[] | undefined {
  const change = changes[at]
  const other = change?.added ? changes[at - 1] : change?.removed ? changes[at + 1] : undefined
  const opposite = other && (change?.added ? other.removed : other.added)
  return opposite && other.value.length === change?.value.length ? other.value : undefined
}

/** A line, cut where it differs from another. One that has no word in common with it stays whole. */
function pieces(other: string, text: string): Piece[] {
  const words = diffWordsWithSpace(other, text, { maxEditLength: maxWordEdits }) ?? []
  const common = words.some(({ added, removed, value }) => !added && !removed && value.trim() !== '')
  if (!common) return [{ text, changed: false }]
  return words.filter(({ removed }) => !removed).map(({ value, added }) => ({ text: value, changed: added }))
}

/** Lines that are shown together, or unchanged lines that are folded away. */
export type Block = { lines: Line[]; folded: boolean }

const context = 3

/** Folds unchanged lines that are not next to a change. */
export function fold(lines: Line[]): Block[] {
  const near = lines.map(() => false)
  for (const [at, { kind }] of lines.entries()) {
    if (kind !== 'same') near.fill(true, Math.max(0, at - context), at + context + 1)
  }
  const blocks: Block[] = []
  for (const [at, line] of lines.entries()) {
    const folded = !near[at]
    const last = blocks.at(-1)
    if (last?.folded === folded) last.lines.push(line)
    else blocks.push({ lines: [line], folded })
  }
  // Folding a single line away would take as much room as showing it.
  return blocks.map((block) => (block.lines.length === 1 ? { ...block, folded: false } : block))
}
