/** Does something with each item, so many at a time, and returns the results in the order of the items. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  workers: number,
  work: (item: Item, place: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length)
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const place = next++
      results[place] = await work(items[place] as Item, place)
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
  return results
}
