import { expect, test } from 'vitest'
import documents from './gql/gql.ts?raw'

// What is not asked for is on no page and in no file: a key is shown once, as a whole, and then as the variable that holds it.
test('acceptance 3 and 6: no page asks for a part of a key', () => {
  expect(documents).toContain('stopsAt')
  expect(documents).not.toMatch(/\b(hint|keyHint)\b/)
})
