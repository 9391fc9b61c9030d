import { useTranslation } from 'react-i18next'
import { graphql } from '@/gql'
import type { DraftContentFragment, KnowledgeState, VersionContentFragment } from '@/gql/graphql'
import { formatNumber } from '@/shared/format'
import type { Variable } from '../variables'

/** The fields of a draft that shape a reply, except its knowledge. */
export const DraftContent = graphql(`
  fragment DraftContent on Agent {
    instructions
    temperature
    maxOutputTokens
    contextTurns
    replySchema
    actions {
      name
      description
      parameters
    }
    variables {
      name
      description
      required
      defaultValue
    }
    model {
      name
      label
    }
    fallbackModel {
      name
      label
    }
  }
`)

/** The fields of a version that shape a reply. */
export const VersionContent = graphql(`
  fragment VersionContent on AgentVersion {
    number
    instructions
    modelName
    temperature
    maxOutputTokens
    contextTurns
    replySchema
    knowledge {
      id
      name
      inDraft
    }
    actions {
      name
      description
      parameters
    }
    variables {
      name
      description
      required
      defaultValue
    }
    model {
      name
      label
    }
    fallbackModelName
    fallbackModel {
      name
      label
    }
  }
`)

/** The settings that the diff compares as values; instructions and variables are compared line by line. */
export const settings = ['model', 'fallbackModel', 'temperature', 'maxOutputTokens', 'contextTurns'] as const
export type Setting = (typeof settings)[number]

/** A source that the agent knows. */
export type Known = VersionContentFragment['knowledge'][number]

/** The settings of a draft or a version. A version also names a model that is no longer offered. */
export type Settings = Omit<DraftContentFragment, ' $fragmentName'> &
  Partial<Pick<VersionContentFragment, 'modelName' | 'fallbackModelName'>>

/** The settings and the knowledge of a draft or a version: of a draft, the newest of all sources of the agent. */
export type Content = Settings & {
  knowledge: readonly Known[] | { nodes: readonly (Known & { state: KnowledgeState })[] }
}

/** A setting as the diff compares it. */
export function settingOf(content: Settings, setting: Setting): string | number | undefined {
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

/** Words a setting for its reader. */
export function useSettingText() {
  const { t } = useTranslation('versions')
  return (content: Content, setting: Setting): string => {
    if (setting === 'model') return content.model?.label ?? content.modelName ?? t('noModel')
    if (setting === 'fallbackModel')
      return content.fallbackModel?.label ?? content.fallbackModelName ?? t('noFallbackModel')
    const value = settingOf(content, setting)
    return typeof value === 'number' ? formatNumber(value) : t('modelDefault')
  }
}
