import { expect, test } from 'vitest'
import { type ArgumentRow, noArguments, rowsOf, schemaOf } from './argumentRows'

const order: ArgumentRow = { name: 'order', type: 'string', required: true, description: 'Its number' }
const gift: ArgumentRow = { name: 'gift', type: 'boolean', required: false, description: '' }

test('rows write the schema that says the same', () => {
  const schema = schemaOf([order, gift], noArguments)
  expect(JSON.parse(schema)).toEqual({
    type: 'object',
    properties: { order: { type: 'string', description: 'Its number' }, gift: { type: 'boolean' } },
    required: ['order'],
    additionalProperties: false,
  })
  expect(rowsOf(schema)).toEqual([order, gift])
  expect(JSON.parse(schemaOf([gift], schema))).toEqual({
    type: 'object',
    properties: { gift: { type: 'boolean' } },
    additionalProperties: false,
  })
  expect(rowsOf(noArguments)).toEqual([])
})

test('a schema stays as it was written until its rows change, and then keeps everything that rows do not show', () => {
  const written = '{"title": "T", "type":"object", "properties":{"gift":{"type":"boolean"}},"required":[]}'
  expect(schemaOf([gift], written)).toBe(written)
  expect(JSON.parse(schemaOf([], written))).toEqual({ title: 'T', type: 'object', properties: {} })
})

test('names of all kinds are names', () => {
  const rows = ['__proto__', 'constructor', 'a b', 'é'].map((name) => ({ ...order, name }))
  expect(rowsOf(schemaOf(rows, noArguments))).toEqual(rows)
})

test.each([
  ['nothing', ''],
  ['no JSON', '{'],
  ['a list', '[]'],
  ['null', 'null'],
  ['another type', '{"type": "array"}'],
  ['an object in it', '{"type": "object", "properties": {"a": {"type": "object"}}}'],
  ['a rule', '{"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}}'],
  ['several types', '{"type": "object", "properties": {"a": {"type": ["string", "null"]}}}'],
  ['true for a schema', '{"type": "object", "properties": {"a": true}}'],
  ['a name that is only required', '{"type": "object", "required": ["a"]}'],
  ['a name that every object has', '{"type": "object", "required": ["constructor"], "properties": {}}'],
  ['others of a type', '{"type": "object", "additionalProperties": {"type": "string"}}'],
  ['definitions', '{"type": "object", "$defs": {}}'],
])('%s is more than rows can say', (_, schema) => {
  expect(rowsOf(schema)).toBeUndefined()
})
