/** How many requests are under way at once. */
const lanes = 4

/** Runs a step for each item, a few at a time, and returns what became of each, in their order. */
export async function inLanes<Item>(items: readonly Item[], step: (item: Item) => Promise<unknown>) {
  const ends: PromiseSettledResult<unknown>[] = []
  const left = [...items.entries()]
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [at, item] = next
      ends[at] = await step(item).then(
        (value) => ({ status: 'fulfilled', value }),
        (reason) => ({ status: 'rejected', reason }),
      )
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return ends
}
