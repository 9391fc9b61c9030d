import type { State } from './screenshots/state'
import { parts } from './screenshots/states'
import { expect, settled, test } from './screenshots/visit'
import { long } from './support/test'
import { walk } from './support/walk'

const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 800 } } as const

// The first state of each route, and all in which something lies over the page.
const worked = (all: State[]) => {
  const [first, ...others] = all.filter((state) => !state.network && !state.busy)
  return first ? [first, ...others.filter(({ open }) => open)] : []
}

for (const { title, part } of parts(8, worked)) {
  test(`${title} is worked by keys alone`, long, async ({ visit }) => {
    test.slow()
    const found: string[] = []
    for (const state of part) {
      await test.step(state.name, () =>
        visit(state, async (page) => {
          for (const [width, size] of Object.entries(sizes)) {
            if (state.only && state.only !== width) continue
            await page.setViewportSize(size)
            await settled(page, state)
            let faults = await walk(page)
            // What comes late, as a phone's filters do, is there the second time.
            if (faults.length > 0) faults = await walk(page)
            found.push(...faults.map((fault) => `${state.name}, ${width}: ${fault}`))
          }
        }),
      )
    }
    expect(found).toEqual([])
  })
}
