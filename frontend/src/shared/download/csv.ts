/** The UTF-8 byte order mark, which tells spreadsheets the encoding. */
export const byteOrderMark = '\uFEFF'

/** What a spreadsheet treats as the start of a formula, or skips before one. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/

/** One field by RFC 4180. Text that a spreadsheet would run as a formula gets a leading apostrophe; numbers stay numbers. */
export function csvField(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const safe = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One record by RFC 4180, with its line end. */
export function csvRecord(fields: readonly (string | number | null | undefined)[]): string {
  return `${fields.map(csvField).join(',')}\r\n`
}
