/** The types that the table offers, as JSON Schema names them. */
export const argumentTypes = ['string', 'integer', 'number', 'boolean'] as const

/** An argument of an action as its row in the table has it. */
export type ArgumentRow = {
  name: string
  type: (typeof argumentTypes)[number]
  required: boolean
  description: string
}

export const newArgument = (): ArgumentRow => ({ name: '', type: 'string', required: true, description: '' })

/** The schema of an action without arguments. */
export const noArguments = `{
  "type": "object",
  "properties": {},
  "additionalProperties": false
}`

type Fields = Record<string, unknown>

/** The keys that a schema may have besides its arguments. The table keeps them unchanged. */
const beside = new Map([
  ['additionalProperties', 'boolean'],
  ['title', 'string'],
  ['description', 'string'],
  ['$schema', 'string'],
])

/** The arguments of a schema; undefined if it is no object schema yet, or says more than rows can. */
export function rowsOf(schema: string): ArgumentRow[] | undefined {
  const { type, properties = {}, required = [], ...rest } = parsed(schema)
  if (type !== 'object' || !isFields(properties) || !Array.isArray(required)) return undefined
  if (!Object.entries(rest).every(([key, value]) => beside.get(key) === typeof value)) return undefined
  if (!required.every((name) => typeof name === 'string' && Object.hasOwn(properties, name))) return undefined
  const rows = Object.entries(properties).map(([name, property]) => rowOf(name, property, required.includes(name)))
  return rows.every((row) => row !== undefined) ? rows : undefined
}

function rowOf(name: string, property: unknown, required: boolean): ArgumentRow | undefined {
  if (!isFields(property)) return undefined
  const { type, description = '', ...rest } = property
  const known = argumentTypes.find((one) => one === type)
  if (!known || typeof description !== 'string' || Object.keys(rest).length > 0) return undefined
  return { name, type: known, required, description }
}

/** The schema with these arguments. It stays as it was written while it has them already. */
export function schemaOf(rows: ArgumentRow[], schema: string): string {
  const before = rowsOf(schema)
  if (JSON.stringify(before) === JSON.stringify(rows)) return schema
  const { type, properties: _, required: __, ...rest } = parsed(before ? schema : noArguments)
  const properties = Object.fromEntries(
    rows.map(({ name, type, description }) => [name, { type, ...(description && { description }) }]),
  )
  const required = rows.filter((row) => row.required).map(({ name }) => name)
  return JSON.stringify({ type, properties, ...(required.length > 0 && { required }), ...rest }, null, 2)
}

function parsed(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : {}
  } catch {
    return {}
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
