import { leftovers, namesIn, placeholder } from '@/features/versions'

/** A piece of instructions: plain text, a variable, a name that no variable has, or a placeholder that nobody has filled. */
export type Piece = { kind: 'text' | 'variable' | 'undeclared' | 'leftover'; text: string }

/** Cuts instructions into pieces, which are the whole text when put together again. */
export function instructionPieces(text: string, declared: string[]): Piece[] {
  const marks = [
    ...namesIn(text).flatMap((name) =>
      placesOf(text, placeholder(name), declared.includes(name) ? 'variable' : 'undeclared'),
    ),
    ...leftovers(text).map(({ place, text: found }) => ({ kind: 'leftover' as const, text: found, place })),
  ].sort((a, b) => a.place - b.place)
  const pieces: Piece[] = []
  let end = 0
  for (const { kind, text: found, place } of marks) {
    if (place < end) continue // inside the one before
    if (place > end) pieces.push({ kind: 'text', text: text.slice(end, place) })
    pieces.push({ kind, text: found })
    end = place + found.length
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) })
  return pieces
}

function placesOf(text: string, part: string, kind: 'variable' | 'undeclared') {
  const found: { kind: typeof kind; text: string; place: number }[] = []
  for (let place = text.indexOf(part); place >= 0; place = text.indexOf(part, place + part.length)) {
    found.push({ kind, text: part, place })
  }
  return found
}
