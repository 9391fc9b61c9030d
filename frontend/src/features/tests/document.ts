import * as z from 'zod/mini'
import { formatDuration } from '@/shared/format'
import { i18n } from '@/shared/i18n'
import { atMost, differentNames, required } from '@/shared/ui'

// Converts test cases between the form's values and the document that the service stores.

export const checkTypes = ['contains', 'equals', 'regex', 'json_equals', 'action', 'cites', 'max_ms', 'judge'] as const

export type CheckType = (typeof checkTypes)[number]

/** A check in the form. Only the fields of its type count. JSON and numbers are strings. */
export type CheckValues = {
  type: CheckType
  not: boolean
  text: string[]
  exact: boolean
  pattern: string
  path: string
  value: string
  name: string
  arguments: string
  source: string
  most: string
  criterion: string
}

export type ResultValues = { name: string; fails: boolean; text: string }

export type CaseValues = {
  name: string
  enabled: boolean
  history: { message: string; reply: string }[]
  message: string
  variables: { name: string; value: string }[]
  results: ResultValues[]
  checks: CheckValues[]
}

/** The types that `not` inverts. */
export const canInvert = (type: CheckType) => type !== 'max_ms' && type !== 'judge'

export const newCheck = (): CheckValues => ({
  type: 'contains',
  not: false,
  text: [''],
  exact: false,
  pattern: '',
  path: '',
  value: '',
  name: '',
  arguments: '',
  source: '',
  most: '',
  criterion: '',
})

export const newCase = (): CaseValues => ({
  name: '',
  enabled: true,
  history: [],
  message: '',
  variables: [],
  results: [],
  checks: [newCheck()],
})

/** The limits of the service. */
export const limits = { history: 40, checks: 20, variables: 32, results: 16, texts: 50 }

type Check = {
  type: CheckType
  not?: boolean
  text?: string | string[]
  exact?: boolean
  pattern?: string
  path?: string
  value?: unknown
  name?: string
  arguments?: unknown
  source?: string
  most?: number
  criterion?: string
}

/** A document. Texts and lists may be missing. */
export type Document = {
  name?: string
  enabled?: boolean
  history?: { message: string; reply: string }[]
  message: string
  variables?: Record<string, string>
  action_results?: Record<string, { result?: unknown; error?: string }>
  checks?: Check[]
}

/**
 * Parses valid JSON. A number that JavaScript would round becomes a string with a mark, which the service allows in no text, and
 * `stringify` writes the number again.
 */
const parse = (json: string): unknown =>
  JSON.parse(
    json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
      token.startsWith('"') || String(Number(token)) === token ? token : `"\\u0000${token}"`,
    ),
  )

const stringify = (value: unknown, indent?: number) =>
  JSON.stringify(value, null, indent).replace(/"\\u0000([\d.eE+-]+)"/g, '$1')

export const readDocument = (document: string) => parse(document) as Document

/** Returns the document with the case switched on or off. */
export const withEnabled = (document: string, enabled: boolean) => stringify({ ...readDocument(document), enabled })

/** What a check of a document compares with, empty if anything will do, and whether it must not match. */
export function expectedBy(document: string, at: number): { not: boolean; value: string } {
  const check = readDocument(document).checks?.[at]
  const { not = false, text, pattern, path, value, name, arguments: least, source, most } = check ?? {}
  const texts = text === undefined ? undefined : [text].flat().join(' / ')
  const json = value === undefined ? undefined : [path, stringify(value)].filter(Boolean).join(' = ')
  const action = name && [name, least && stringify(least)].filter(Boolean).join(' ')
  const limit = most === undefined ? undefined : formatDuration(most)
  return { not, value: texts ?? pattern ?? json ?? action ?? source ?? limit ?? '' }
}

const written = (value: unknown) => (value === undefined ? '' : stringify(value, 2))

/** The form's values for a document. */
export function valuesOf(document: string): CaseValues {
  const { name = '', enabled = true, history, message, variables, action_results, checks } = readDocument(document)
  return {
    name,
    enabled,
    history: history ?? [],
    message,
    variables: Object.entries(variables ?? {}).map(([name, value]) => ({ name, value })),
    results: Object.entries(action_results ?? {}).map(([name, { result, error }]) =>
      error === undefined ? { name, fails: false, text: written(result) } : { name, fails: true, text: error },
    ),
    checks: (checks ?? []).map(({ text, value, arguments: least, most, ...check }) => ({
      ...newCheck(),
      ...check,
      text: text === undefined ? [''] : [text].flat(),
      value: written(value),
      arguments: written(least),
      most: most === undefined ? '' : `${most}`,
    })),
  }
}

/** The document for valid form values. */
export function documentOf({ name, enabled, history, message, variables, results, checks }: CaseValues): string {
  const document: Document = {
    name: name.trim(),
    enabled,
    history,
    message,
    variables: Object.fromEntries(variables.map(({ name, value }) => [name, value])),
    action_results: Object.fromEntries(
      results.map(({ name, fails, text }) => [name, fails ? { error: text } : { result: parse(text) }]),
    ),
    checks: checks.map(checkOf),
  }
  return stringify(document)
}

function checkOf(values: CheckValues): Check {
  const { type, text, exact, path, value, name, source } = values
  const not = canInvert(type) && values.not ? { not: true } : {}
  switch (type) {
    case 'contains':
      return { type, ...not, text, ...(exact && { exact }) }
    case 'equals':
      return { type, ...not, text: text[0] ?? '' }
    case 'regex':
      return { type, ...not, pattern: values.pattern }
    case 'json_equals':
      return { type, ...not, path, value: parse(value) }
    case 'action':
      return { type, ...not, name, ...(values.arguments.trim() && { arguments: parse(values.arguments) }) }
    case 'cites':
      return { type, ...not, ...(source && { source }) }
    case 'max_ms':
      return { type, most: Number(values.most) }
    case 'judge':
      return { type, criterion: values.criterion }
  }
}

const error = (key: 'json' | 'object' | 'number' | 'variableName' | 'sameName' | 'texts') => () =>
  i18n.t(`tests:error.${key}`)

const missing = () => i18n.t('common:form.required')

const isJson = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const isObject = (text: string) => text.trim().startsWith('{') && isJson(text)

/** The problem with a field of a check, if there is one. */
function problemOf(check: CheckValues): [field: keyof CheckValues, message: string] | undefined {
  const blank = (field: 'pattern' | 'name' | 'criterion') =>
    check[field].trim() === '' ? ([field, missing()] as [keyof CheckValues, string]) : undefined
  switch (check.type) {
    case 'contains':
      return check.text.some((text) => text.trim() === '') ? ['text', error('texts')()] : undefined
    case 'equals':
      return (check.text[0] ?? '').trim() === '' ? ['text', error('texts')()] : undefined
    case 'regex':
      return blank('pattern')
    case 'json_equals':
      return isJson(check.value) ? undefined : ['value', error('json')()]
    case 'action':
      if (check.arguments.trim() !== '' && !isObject(check.arguments)) return ['arguments', error('object')()]
      return blank('name')
    case 'max_ms':
      return /^[1-9]\d{0,6}$/.test(check.most.trim()) ? undefined : ['most', error('number')()]
    case 'judge':
      return blank('criterion')
    case 'cites':
      return undefined
  }
}

const notBlank = () => z.refine<string>((text) => text.trim() !== '', { error: missing })
const variableName = z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, { error: error('variableName') }))

/** The form's rules. The service checks more. */
export const caseSchema = z.object({
  name: z.string().check(atMost(200)),
  enabled: z.boolean(),
  history: z.array(z.object({ message: z.string().check(notBlank()), reply: z.string().check(notBlank()) })),
  message: z.string().check(notBlank(), atMost(32_768)),
  variables: z
    .array(z.object({ name: variableName, value: z.string().check(atMost(4_000)) }))
    .check(differentNames(error('sameName'))),
  results: z
    .array(
      z
        .object({ name: z.string().check(required()), fails: z.boolean(), text: z.string() })
        .check(({ value: { fails, text }, issues }) => {
          const message = fails ? text.trim() === '' && missing() : !isJson(text) && error('json')()
          if (message) issues.push({ code: 'custom', input: text, path: ['text'], message })
        }),
    )
    .check(differentNames(error('sameName'))),
  checks: z.array(
    z
      .object({
        type: z.enum(checkTypes),
        not: z.boolean(),
        text: z.array(z.string()),
        exact: z.boolean(),
        pattern: z.string(),
        path: z.string(),
        value: z.string(),
        name: z.string(),
        arguments: z.string(),
        source: z.string(),
        most: z.string(),
        criterion: z.string(),
      })
      .check(({ value, issues }) => {
        const found = problemOf(value)
        if (found) issues.push({ code: 'custom', input: value, path: [found[0]], message: found[1] })
      }),
  ),
})

/** Splits the service’s message about a document into the form’s field and the rest. */
export function problemAt(
  message: string,
  { variables, results }: Pick<CaseValues, 'variables' | 'results'>,
): { path: string; message: string } | undefined {
  const [, path, rest] =
    rowOf(message, 'variables', variables, 'variables', 'value') ??
    rowOf(message, 'action_results', results, 'results', 'text') ??
    /^([a-z_]+(?:\.[\w-]+)*) (.+)$/s.exec(message) ??
    []
  if (!path || !rest) return undefined
  return { path, message: rest.charAt(0).toUpperCase() + rest.slice(1) }
}

/** The field of a row that the message identifies by the row’s name. */
function rowOf(message: string, named: string, rows: { name: string }[], list: string, field: string) {
  for (const [at, { name }] of rows.entries()) {
    const start = `${named}.${name}`
    const rest = message.startsWith(start) && /^(?:\.[\w-]+)* (.+)$/s.exec(message.slice(start.length))?.[1]
    if (rest) return [message, `${list}.${at}.${rest.startsWith('has no valid name') ? 'name' : field}`, rest]
  }
  return undefined
}
