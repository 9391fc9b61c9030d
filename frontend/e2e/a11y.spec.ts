import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import type { State } from './screenshots/state'
import { routes, states } from './screenshots/states'
import { expect, settled, test } from './screenshots/visit'
import { heavyChunks } from './support/chunks'
import { full } from './support/test'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 800 } } as const

test('acceptance 1: every route of the panel is looked at', () => {
  expect(routes).toContain('/agents/$id/playground')
  expect([...new Set(states.map(({ route }) => route))].sort()).toEqual(routes.toSorted())
})

test('acceptance 1: a violation is found', async ({ visit }) => {
  await visit(first('/login'), async (page) => {
    await page.evaluate(() => {
      document.body.append(Object.assign(document.createElement('button'), { type: 'button' }))
    })
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(rules).analyze()
    expect(violations.map(({ id }) => id)).toContain('button-name')
  })
})

// One state of every route. The others, and narrow screens, are in the sweep below.
const quick = ['/login', '/agents/$id']
for (const route of routes) {
  test(
    `acceptance 1 and 18: ${route} is accessible, and keeps to its origin, policy and budget`,
    full(!quick.includes(route)),
    async ({ visit, problems }) => {
      problems.drain()
      await visit(first(route), async (page) => {
        expect(await examine(page, first(route), 'wide')).toEqual([])
        expect(await heavyChunks(page)).toEqual([])
      })
      expect(problems.drain()).toEqual([])
    },
  )
}

// A few states each, so that both workers have something to do until the end.
for (const { title, part } of parts(8)) {
  test(`acceptance 1: ${title} is accessible in every state`, full(), async ({ visit }) => {
    test.slow()
    const found: string[] = []
    for (const state of part) {
      await test.step(state.name, () =>
        visit(state, async (page) => {
          for (const width of ['wide', 'narrow'] as const) {
            if (!state.only || state.only === width) found.push(...(await examine(page, state, width)))
          }
        }),
      )
    }
    expect(found).toEqual([])
  })
}

function first(route: string): State {
  const state = states.find((one) => one.route === route)
  if (!state) throw new Error(`${route} has no state in e2e/screenshots/states.ts`)
  return state
}

/** The states by route, at most so many together. */
function parts(most: number) {
  return routes.flatMap((route) => {
    const all = states.filter((state) => state.route === route)
    const count = Math.ceil(all.length / most)
    return Array.from({ length: count }, (_, at) => ({
      title: count > 1 ? `${route}, ${at + 1} of ${count},` : route,
      part: all.slice(at * most, (at + 1) * most),
    }))
  })
}

const looks = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  'forced colours': { colorScheme: 'light', forcedColors: 'active' },
} as const

/** The violations of a page at one width, in both themes and in forced colours. */
async function examine(page: Page, state: State, width: keyof typeof sizes): Promise<string[]> {
  const found: string[] = []
  await page.setViewportSize(sizes[width])
  for (const [look, media] of Object.entries(looks)) {
    await page.emulateMedia(media)
    await settled(page, state)
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(rules).analyze()
    for (const { id, nodes } of violations) {
      for (const { target, failureSummary } of nodes) {
        found.push(`${state.name}, ${width}, ${look}: ${id} at ${target.join(' ')}: ${failureSummary}`)
      }
    }
  }
  return found
}
