import { describe, expect, test } from 'vitest'
import { CsvFile, csvField, csvRecord } from './csv'

describe('a CSV field', () => {
  test.each([
    ['plain', '"plain"'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', '"\'=1+1"'],
    ['+1', '"\'+1"'],
    ['-1', '"\'-1"'],
    ['@SUM(A1)', '"\'@SUM(A1)"'],
    ['＝1', '"\'＝1"'],
    ['\t1', '"\'\t1"'],
    ['\r=1', '"\'\r\'=1"'],
    ['x;=cmd', '"x;\'=cmd"'],
    ['x; "=cmd', '"x;\' ""=cmd"'],
    ['x\n- y\n- z', '"x\n\'- y\n\'- z"'],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ['a=1', '"a=1"'],
    ['', '""'],
    [null, ''],
    [-5, '-5'],
  ])('%j is %j', (value, field) => expect(csvField(value)).toBe(field))

  test('is quick, however long its white space is', () => {
    const began = performance.now()
    for (const text of ['\n', '\t', ' ', '"', ';', ' "', '; "']) csvField(text.repeat(128_000))
    expect(performance.now() - began).toBeLessThan(2_000)
  })
})

test('a record ends as RFC 4180 has it', () => {
  expect(csvRecord(['a', 1, null, 'b,c'])).toBe('"a",1,,"b,c"\r\n')
})

test('acceptance 10: every CSV of the panel says that it is UTF-8, and holds no formula', async () => {
  const file = new CsvFile(['name', '=x'])
  for (const text of ['=1', '+1', '-1', '@x']) file.add([text, -1])
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.blob().arrayBuffer())
  expect(text).toBe(`\uFEFF"name","'=x"\r\n"'=1",-1\r\n"'+1",-1\r\n"'-1",-1\r\n"'@x",-1\r\n`)
  const sources = import.meta.glob<string>('/src/**/*.ts*', { query: '?raw', import: 'default', eager: true })
  const makers = Object.keys(sources).filter((name) => !name.includes('.test.') && sources[name]?.includes('text/csv'))
  expect(makers, 'one file makes them').toEqual(['/src/shared/download/csv.ts'])
})

test('acceptance 10: no spreadsheet finds a formula, whatever it splits lines at', () => {
  for (const text of texts('x=;,\t\n" ', 4)) {
    for (const record of [csvRecord([text, 'next']), csvRecord(['before', text, text])]) {
      for (const separator of ',;\t|') {
        const formula = cells(record, separator).find((cell) => /^\s*=/.test(cell))
        if (formula) expect.fail(`${JSON.stringify(text)} becomes ${formula} in ${record} at ${separator}`)
      }
    }
  }
})

/** All texts of some characters, up to a length. */
function* texts(characters: string, length: number): Generator<string> {
  yield ''
  if (length === 0) return
  for (const rest of texts(characters, length - 1)) for (const first of characters) yield first + rest
}

/** The cells of a text as spreadsheets see them: quotes count at the start of a cell only, and what follows them is part of it. */
function cells(text: string, separator: string): string[] {
  const found = ['']
  let quoted = false
  let started = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string
    const last = found.length - 1
    if (quoted && char === '"' && text[i + 1] === '"') {
      found[last] += '"'
      i++
    } else if (quoted && char === '"') quoted = false
    else if (!started && char === '"') {
      quoted = true
      started = true
    } else if (!quoted && (char === separator || char === '\r' || char === '\n')) {
      found.push('')
      started = false
    } else {
      found[last] += char
      started = true
    }
  }
  return found
}
