import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import type { State } from './screenshots/state'
import { parts, routes, states } from './screenshots/states'
import { expect, settled, test } from './screenshots/visit'
import { long } from './support/test'

/** A sample: each width, theme and forced colours once. The tests at the end check all pages and take minutes. */
const sample = ['/', '/agents/$id', '/activity/requests']

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

test('every route of the panel has a state', () => {
  expect(routes).toContain('/agents/$id')
  expect([...new Set(states.map(({ route }) => route))].sort()).toEqual(routes.toSorted())
})

test('acceptance 1 and 18: the checks find planted violations', async ({ visit, problems }) => {
  problems.drain()
  await visit(states.find(({ route }) => route === '/login') as State, async (page) => {
    expect(await violations(page)).toEqual([])
    await page.evaluate(() => {
      document.body.append(document.createElement('button'))
      const script = document.createElement('script')
      script.textContent = 'window.ran = true'
      document.head.append(script)
      const image = new Image()
      image.src = 'http://other.test/pixel.png'
      document.body.append(image)
    })
    expect((await violations(page)).map((text) => text.split(' ')[0])).toEqual(
      expect.arrayContaining(['button-name', 'image-alt']),
    )
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  })
  const found = problems.drain().join('\n')
  expect(found).toContain('policy violation: script-src-elem inline')
  expect(found).toContain('policy violation: img-src http://other.test/pixel.png')
})

test.describe('in one state', () => {
  // One worker, so only one account needs data.
  test.describe.configure({ mode: 'default' })

  for (const [at, route] of sample.entries()) {
    test(`acceptance 1 and 18: ${route} is accessible, and keeps to its origin and policy`, async ({
      visit,
      problems,
    }) => {
      const state = states.find((one) => one.route === route) as State
      const width = state.only ?? (at % 2 ? 'narrow' : 'wide')
      problems.drain()
      await visit(state, async (page) => expect(await examine(page, state, width, [names[at % 3] as Look])).toEqual([]))
      expect(problems.drain()).toEqual([])
    })
  }
})

// All states, in both widths, both themes and forced colours: minutes, so only in make test-long.
for (const { title, part } of parts(4)) {
  test(`acceptance 1 and 18: ${title} is accessible in every state`, long, async ({ visit, problems }) => {
    test.slow()
    const found: string[] = []
    for (const state of part) {
      problems.drain()
      await test.step(state.name, () =>
        visit(state, async (page) => {
          for (const width of ['wide', 'narrow'] as const) {
            if (!state.only || state.only === width) found.push(...(await examine(page, state, width)))
          }
        }),
      )
      if (!state.missing) found.push(...problems.drain())
    }
    expect(found).toEqual([])
  })
}

const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 800 } } as const
const looks = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  'forced colours': { colorScheme: 'light', forcedColors: 'active' },
} as const
type Look = keyof typeof looks
const names = Object.keys(looks) as Look[]

/** The violations of a page at one width, in both themes and in forced colours unless only some of these are named. */
async function examine(page: Page, state: State, width: keyof typeof sizes, which = names): Promise<string[]> {
  const found: string[] = []
  await page.setViewportSize(sizes[width])
  for (const look of which) {
    await page.emulateMedia(looks[look])
    await settled(page, state)
    for (const violation of await violations(page)) found.push(`${state.name}, ${width}, ${look}: ${violation}`)
  }
  return found
}

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ runOnly: rules, resultTypes: ['violations'] })
    .analyze()
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
}
