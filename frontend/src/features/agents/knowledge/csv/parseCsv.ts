type Rows = string[][]

/** What may separate the columns, rare signs first. Spreadsheets write a semicolon where numbers have a comma. */
const separators = ['\t', ';', ',']

/**
 * Reads CSV of two columns by RFC 4180, with any kind of line end, separated by whatever gives most rows a second. An empty line is a
 * row with one empty cell. `unclosed` is whether a quote of the last row has no end.
 */
export function parseCsv(text: string): { rows: Rows; unclosed: boolean } {
  const readings = separators.map((separator) => read(text, separator))
  return readings.reduce((best, next) => (split(next.rows) > split(best.rows) ? next : best))
}

/** How many rows have more than one column. */
const split = (rows: Rows) => rows.filter((row) => row.length > 1).length

function read(text: string, separator: string) {
  const rows: Rows = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    const next = text[at + 1]
    if (quoted && sign === '"' && next !== '"') quoted = false
    else if (quoted) {
      cell += sign
      if (sign === '"') at++
    } else if (sign === '"' && cell === '') quoted = true
    else if (sign === separator) {
      row.push(cell)
      cell = ''
    } else if (sign === '\n' || sign === '\r') {
      rows.push([...row, cell])
      row = []
      cell = ''
      if (sign === '\r' && next === '\n') at++
    } else cell += sign
  }
  if (row.length > 0 || cell !== '' || quoted) rows.push([...row, cell])
  return { rows, unclosed: quoted }
}

/** The text of a CSV file: UTF-8, or what spreadsheets write besides. */
export function decodeCsv(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
