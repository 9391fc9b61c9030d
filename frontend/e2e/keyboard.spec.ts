import { routes, states } from './screenshots/states'
import { expect, settled, test } from './screenshots/visit'
import { long } from './support/test'
import { walk } from './support/walk'

const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 800 } } as const

// The first state of each route, and all in which something lies over the page.
for (const route of routes) {
  test(`${route} is worked by keys alone`, long, async ({ visit }) => {
    test.slow()
    const [first, ...others] = states.filter((state) => state.route === route && !state.network && !state.busy)
    const found: string[] = []
    for (const state of [first, ...others.filter(({ open }) => open)]) {
      if (!state) continue
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
