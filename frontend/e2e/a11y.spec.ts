import { readFileSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
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

// A page each, so that both workers have something to do; its states share the time to sign in.
for (const route of routes) {
  test(`acceptance 1: nobody is shut out of ${route}`, async ({ visit }) => {
    test.slow()
    const found: string[] = []
    for (const state of states.filter((each) => each.route === route)) {
      await test.step(state.name, () => visit(state, async (page) => void found.push(...(await examine(page, state)))))
    }
    expect(found).toEqual([])
  })
}

async function examine(page: Parameters<typeof settled>[0], state: State): Promise<string[]> {
  const found: string[] = []
  for (const [width, size] of Object.entries(sizes)) {
    if (state.only && state.only !== width) continue
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await settled(page, state)
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(rules).analyze()
      for (const { id, nodes } of violations) {
        for (const { target, failureSummary } of nodes) {
          found.push(`${state.name}, ${width}, ${colorScheme}: ${id} at ${target.join(' ')}: ${failureSummary}`)
        }
      }
    }
  }
  return found
}
