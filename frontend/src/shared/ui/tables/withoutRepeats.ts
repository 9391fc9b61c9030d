/** The rows of all pages once: one that moved in the order between two requests comes twice. */
export const withoutRepeats = <Row extends { id: string }>(rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
]
