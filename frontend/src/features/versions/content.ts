/** Everything of a draft or a version that shapes a reply. */
export type Content = {
  instructions: string
  model?: { name: string; label: string } | null
  /** The model's name, also when it is no longer offered; drafts have none. */
  modelName?: string
  temperature?: number | null
  maxOutputTokens?: number | null
  contextTurns: number
}

export const settings = ['model', 'temperature', 'maxOutputTokens', 'contextTurns'] as const
export type Setting = (typeof settings)[number]

/** A setting as the diff compares it. */
export function settingOf(content: Content, setting: Setting): string | number | undefined {
  if (setting === 'model') return content.model?.name ?? content.modelName
  return content[setting] ?? undefined
}

/** The settings in which two contents differ. */
export const changedSettings = (before: Content, after: Content): Setting[] =>
  settings.filter((setting) => settingOf(before, setting) !== settingOf(after, setting))
