/** What an agent declares for a variable. */
export type Variable = { name: string; description: string; required: boolean; defaultValue?: string | null }

/** What a variable's name looks like. */
export const namePattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

const used = /\{\{([A-Za-z_][A-Za-z0-9_]{0,63})\}\}/g

/** A variable as instructions name it. */
export const placeholder = (name: string) => `{{${name}}}`

/** The names that a text uses as {{name}}, each once, in order. With spaces inside, the text stays as it is. */
export const namesIn = (text: string): string[] => [...new Set([...text.matchAll(used)].map(([, name]) => name ?? ''))]

/** The names that a text uses, but that no variable has: the model gets them as they stand. */
export const undeclaredIn = (text: string, variables: readonly { name: string }[]) =>
  namesIn(text).filter((used) => !variables.some(({ name }) => name === used))
