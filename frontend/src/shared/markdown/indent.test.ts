import { expect, test } from 'vitest'
import { indent } from './indent'

test('JSON is indented, and its strings and numbers stay as they are', () => {
  const json = '{"a":[1e400,12345678901234567890,"x, {\\"y\\": [1]}"],"b":{},"c":[],"a":{"d":null}}'
  const indented = indent(json)
  expect(indented).toBe(`{
  "a": [
    1e400,
    12345678901234567890,
    "x, {\\"y\\": [1]}"
  ],
  "b": {},
  "c": [],
  "a": {
    "d": null
  }
}`)
  expect(indent(indented)).toBe(indented)
})
