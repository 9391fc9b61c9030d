/** Draws that are the same for the same seed. */
export type Random = {
  /** From 0 up to 1. */
  next: () => number
  /** A whole number from 0 up to a bound. */
  below: (bound: number) => number
  of: <Item>(items: readonly Item[]) => Item
  /** As `of`, but the first items much more often than the last. */
  early: <Item>(items: readonly Item[]) => Item
}

/** A generator of 32 bits (mulberry32): for tests, not for secrets. */
export function randomOf(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const at = <Item>(items: readonly Item[], part: number) => items[Math.floor(part * items.length)] as Item
  return {
    next,
    below: (bound) => Math.floor(next() * bound),
    of: (items) => at(items, next()),
    early: (items) => at(items, next() ** 3),
  }
}
