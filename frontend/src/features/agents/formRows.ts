/** A variable, an action or an argument as the form has it. */
type Row = {
  name: string
  description: string
  defaultValue?: string
  parameters?: string
  rows?: Row[]
}

/** Reports whether a row has nothing in it, like one that was just added. It is no part of the draft until it does. */
export const isBlank = ({ name, description, defaultValue = '', parameters, rows }: Row): boolean =>
  name === '' && description === '' && defaultValue === '' && (rows?.every(isBlank) ?? parameters === undefined)

/** The rows that are part of the draft. */
export const filled = <One extends Row>(rows: One[]) => rows.filter((row) => !isBlank(row))

/** Reports whether a path of the form's values leads into a blank row. */
export function isInBlankRow(values: object, path: readonly PropertyKey[]): boolean {
  let at: unknown = values
  return path.some((step) => {
    at = (at as Record<PropertyKey, unknown> | undefined)?.[step]
    return typeof at === 'object' && at !== null && 'name' in at && isBlank(at as Row)
  })
}
