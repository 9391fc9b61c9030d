import { TextFile } from './TextFile'

/** The UTF-8 byte order mark, which tells spreadsheets the encoding. */
const byteOrderMark = '\uFEFF'

/**
 * Where a spreadsheet may find the start of a formula: at the start of a field, and, because some split lines at other characters than
 * the comma and then don't see the quotes, after each separator and line break in it. White space and quotes before it are skipped.
 */
const formulas = /^(?=[\t\r\n])|(?<=^|[,;|\t\r\n])(?=(?:"|[^\S\t\r\n])*[=+\-@＝＋－＠])/g

/** One field by RFC 4180. In texts, which are always quoted, an apostrophe stands before each possible formula; numbers stay numbers. */
export function csvField(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  return `"${value.replace(formulas, "'").replaceAll('"', '""')}"`
}

/** A CSV file that is written record by record. Spreadsheets find its encoding, and no formula. */
export class CsvFile {
  readonly #file = new TextFile('text/csv')

  constructor(header: readonly string[]) {
    this.#file.add(byteOrderMark)
    this.add(header)
  }

  add(fields: Fields) {
    this.#file.add(csvRecord(fields))
  }

  blob(): Blob {
    return this.#file.blob()
  }
}

type Fields = readonly (string | number | null | undefined)[]

/** One record by RFC 4180, with its line end. */
export function csvRecord(fields: Fields): string {
  return `${fields.map(csvField).join(',')}\r\n`
}
