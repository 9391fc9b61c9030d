/** The conversations of the list that was seen last, in its order. */
let order: string[] = []

export function rememberOrder(ids: string[]) {
  order = ids
}

/** The neighbours of a conversation in that list; none if it was not opened from a list. */
export function neighbours(id: string): { previous?: string; next?: string } {
  const place = order.indexOf(id)
  return place < 0 ? {} : { previous: order[place - 1], next: order[place + 1] }
}
