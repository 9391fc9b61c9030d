import { expect, test } from 'vitest'
import documents from './gql/gql.ts?raw'

// A key is shown once, as a whole, and then as the variable that holds it. Lists show its last characters, by which it is found.
test('acceptance 3 and 6: only what makes a key asks for it', () => {
  const asking = documents.split('\n').filter((line) => /\bapiKey\b/.test(line))
  expect(asking.length).toBeGreaterThan(0)
  expect(asking.filter((line) => !/\bmutation (CreateApiExport|ReplaceApiKey)\b/.test(line))).toEqual([])
})
