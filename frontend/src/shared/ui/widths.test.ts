import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const sheets = Object.keys(import.meta.glob('/src/**/*.css'))

/** Where widths meet, in em: the panel's two, a page's own two (1,024 and 1,440 px), and what only text and figures ask for. */
const meet = [48, 75, 64, 90]
const small = ['(max-width: 20em)', '(max-width: 30em)']
const allowed = [...meet.flatMap((em) => [`(min-width: ${em}em)`, `(max-width: ${em - 0.01}em)`]), ...small]

test('style sheets know no other widths of the window', () => {
  const found = sheets.flatMap((path) =>
    [...readFileSync(`.${path}`, 'utf8').matchAll(/@media [^{]*/g)].flatMap(([query]) =>
      [...query.matchAll(/\([^)]*width[^)]*\)/g)].map(([width]) => ({ path, width })),
    ),
  )
  expect(found.length).toBeGreaterThan(10)
  expect(found.filter(({ width }) => !allowed.includes(width))).toEqual([])
})
