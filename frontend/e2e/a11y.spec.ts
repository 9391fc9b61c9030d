import { readFileSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { type State, states } from './screenshots/states'
import { expect, settled, test } from './screenshots/visit'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 800 } } as const
const routes = [...new Set(states.map(({ route }) => route))]

test('acceptance 1: every route of the panel is looked at', () => {
  const tree = readFileSync(new URL('../src/routeTree.gen.ts', import.meta.url), 'utf8')
  const [, byTo = ''] = /interface FileRoutesByTo \{(.*?)\n\}/s.exec(tree) ?? []
  const known = [...byTo.matchAll(/^ {2}'(.+?)':/gm)].map(([, route]) => route)
  expect(known).toContain('/agents/$id/playground')
  expect(routes.toSorted()).toEqual(known.toSorted())
})

test('acceptance 1: what is against the rules is found', async ({ visit }) => {
  const [login] = states
  if (!login) throw new Error('There are no states')
  await visit(login, async (page) => {
    await page.evaluate(() => {
      document.body.append(Object.assign(document.createElement('button'), { type: 'button' }))
    })
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(rules).analyze()
    expect(violations.map(({ id }) => id)).toContain('button-name')
  })
})

// A few states each, so that both workers have something to do until the end.
for (const { title, part } of parts(8)) {
  test(`acceptance 1: nobody is shut out of ${title}`, async ({ visit }) => {
    test.slow()
    const found: string[] = []
    for (const state of part) {
      await test.step(state.name, () => visit(state, async (page) => void found.push(...(await examine(page, state)))))
    }
    expect(found).toEqual([])
  })
}

/** The states by route, at most so many together. */
function parts(most: number) {
  return routes.flatMap((route) => {
    const all = states.filter((state) => state.route === route)
    const count = Math.ceil(all.length / most)
    return Array.from({ length: count }, (_, at) => ({
      title: count > 1 ? `${route}, ${at + 1} of ${count}` : route,
      part: all.slice(at * most, (at + 1) * most),
    }))
  })
}

async function examine(page: Page, state: State): Promise<string[]> {
  const found: string[] = []
  for (const [width, size] of Object.entries(sizes)) {
    if (state.only && state.only !== width) continue
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await settled(page, state)
      const axe = new AxeBuilder({ page }).setLegacyMode()
      // A scheme changes colours alone: what has nothing to do with them was looked at in the light one.
      const { violations } = await axe.withTags(rules).analyze()
      for (const { id, nodes } of violations) {
        for (const { target, failureSummary } of nodes) {
          found.push(`${state.name}, ${width}, ${colorScheme}: ${id} at ${target.join(' ')}: ${failureSummary}`)
        }
      }
    }
  }
  return found
}
