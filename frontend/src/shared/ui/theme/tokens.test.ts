import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const source = import.meta.glob<string>(['/src/**/*.css', '/src/**/*.{ts,tsx}', '!/src/gql/**', '!/src/**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
// Vitest hands out no text of style sheets that are not modules.
const text = (path: string) => (path.endsWith('.css') ? readFileSync(`.${path}`, 'utf8') : (source[path] ?? ''))
const tokens = text('/src/shared/ui/theme/tokens.css')

/** The colours of a scheme: the light ones are the default. */
function colours(scheme: 'light' | 'dark') {
  const [light = '', dark = ''] = tokens.split('\n:root[data-mantine-color-scheme="dark"]')
  const found = [...(scheme === 'dark' ? light + dark : light).matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)]
  const all = new Map(found.map(([, name, value]) => [name ?? '', value ?? '']))
  return (name: string) => all.get(name) ?? expect.fail(`no colour ${name}`)
}

type RGB = [number, number, number]
const linear = (hex: string) =>
  [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as RGB
const times = (rows: RGB[], [r, g, b]: RGB) => rows.map(([x, y, z]) => x * r + y * g + z * b) as RGB

function contrast(one: string, other: string) {
  const [low = 0, high = 0] = [one, other]
    .map(linear)
    .map(([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b)
    .sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** How far apart two colours look, by OKLab; 2 is just seen. */
function distance(one: RGB, other: RGB) {
  const lab = (rgb: RGB) => {
    const cones = times(
      [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
      ],
      rgb,
    ).map(Math.cbrt) as RGB
    return times(
      [
        [0.2104542553, 0.793617785, -0.0040720468],
        [1.9779984951, -2.428592205, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.808675766],
      ],
      cones,
    )
  }
  const [a, b] = [lab(one), lab(other)]
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

/** What people see who lack one kind of cone: Machado and others, 2009. */
const sight: Record<string, RGB[]> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  const colour = colours(scheme)
  const surfaces = ['surface-0', 'surface-1', 'surface-2', 'surface-inset', 'surface-hover', 'surface-selected']

  test('text has a contrast of 4.5:1', () => {
    const texts = ['text', 'text-2', 'text-3', 'accent-text', 'ok', 'warn', 'bad']
    for (const surface of surfaces) {
      for (const name of texts) {
        expect(contrast(colour(name), colour(surface)), `${name} on ${surface}`).toBeGreaterThanOrEqual(4.5)
      }
    }
    const pairs = ['ok', 'warn', 'bad'].map((name) => [name, `${name}-soft`])
    const fills = ['accent', 'accent-hover', 'bad-fill', 'bad-fill-hover'].map((name) => ['on-accent', name])
    const marks = Array.from({ length: 8 }, (_, i) => [`mark-${i + 1}`, `mark-${i + 1}-bg`])
    const code = ['comment', 'keyword', 'string', 'number', 'name'].map((name) => [`code-${name}`, 'surface-inset'])
    for (const [name = '', ground = ''] of [...pairs, ...fills, ...marks, ...code, ['accent-text', 'accent-soft']]) {
      expect(contrast(colour(name), colour(ground)), `${name} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
  })

  test('borders of fields, the focus and the data have a contrast of 3:1', () => {
    for (const surface of surfaces) {
      for (const name of ['line-control', 'focus']) {
        expect(contrast(colour(name), colour(surface)), `${name} on ${surface}`).toBeGreaterThanOrEqual(3)
      }
    }
    for (const name of ['data-1', 'data-2', 'data-3', 'data-4', 'data-5', 'data-other']) {
      expect(contrast(colour(name), colour('surface-1')), name).toBeGreaterThanOrEqual(3)
    }
  })

  test.each(Object.entries(sight))('the data colours differ: %s', (_, rows) => {
    const series = [1, 2, 3, 4, 5].map(
      (n) => times(rows, linear(colour(`data-${n}`))).map((x) => Math.max(x, 0)) as RGB,
    )
    for (const [i, one] of series.entries()) {
      for (const other of series.slice(i + 1)) expect(distance(one, other)).toBeGreaterThan(12)
    }
  })
})

test('colours and font sizes are used by their names', () => {
  const files = Object.keys(source).filter((path) => !path.endsWith('/tokens.css'))
  expect(files.length).toBeGreaterThan(100)
  const own = files.flatMap((path) =>
    [...text(path).matchAll(/#[0-9a-f]{6}\b|^\s+font-size: \d+px|fontSize: \d+/gim)].map(
      ([value]) => `${path}: ${value}`,
    ),
  )
  expect(own).toEqual([])
})
