import { type Content, type Setting, settings } from '../queries'
import type { Variable } from '../variables'

/** A setting as the diff compares it. */
export function settingOf(content: Content, setting: Setting): string | number | undefined {
  if (setting === 'model') return content.model?.name ?? content.modelName
  if (setting === 'fallbackModel') return content.fallbackModel?.name ?? content.fallbackModelName ?? undefined
  return content[setting] ?? undefined
}

/** Actions as text: their names, what they do, and the schemas of their arguments as they were written. */
export const actionsText = ({ actions }: Pick<Content, 'actions'>) =>
  actions.map(({ name, description, parameters }) => `${name}: ${description}\n${parameters}`).join('\n\n')

/** The settings in which two contents differ. */
export const changedSettings = (before: Content, after: Content): Setting[] =>
  settings.filter((setting) => settingOf(before, setting) !== settingOf(after, setting))

/** The names of variables that callers must send from now on, and needed not before. */
export function newlyRequired(before: Pick<Content, 'variables'> | null | undefined, after: Content): string[] {
  const needed = (variables: Variable[]) => variables.filter(({ required }) => required).map(({ name }) => name)
  const known = needed(before?.variables ?? [])
  return needed(after.variables).filter((name) => !known.includes(name))
}

/** The names of variables that callers may have sent so far, and must not send from now on. */
export function noLongerDeclared(before: Pick<Content, 'variables'> | null | undefined, after: Content): string[] {
  const names = (variables: Variable[]) => variables.map(({ name }) => name)
  const left = names(after.variables)
  return names(before?.variables ?? []).filter((name) => !left.includes(name))
}
