import { expect } from './test'

/** Reads CSV by RFC 4180 and nothing looser: every line ends with CRLF, and quotes stand where they may. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let at = 0
  while (at < text.length) {
    const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
    field.lastIndex = at
    const found = field.exec(text)
    if (!found) throw new Error(`Not CSV at ${at}: ${JSON.stringify(text.slice(at, at + 60))}`)
    record.push(found[1] === undefined ? (found[2] ?? '') : found[1].replaceAll('""', '"'))
    at = field.lastIndex
    if (found[3] === '\r\n') {
      records.push(record)
      record = []
    }
  }
  expect(record, 'a last line without its end').toEqual([])
  return records
}
