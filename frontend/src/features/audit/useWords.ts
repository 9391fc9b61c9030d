import { useTranslation } from 'react-i18next'
import { didOf, words as ofUsers } from '@/features/settings'
import { actions, fields } from './names'
import type { Entry } from './queries'

const has = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name)

/** The words for actions and fields. A name that this panel does not know is shown as it is. */
export function useWords() {
  const { t } = useTranslation('audit')
  const { t: ofSettings } = useTranslation('settings')
  const wordsOf = (action: string) => {
    if (has(actions, action)) return t(`did.${action}`)
    return action in ofUsers ? ofSettings(ofUsers[action as keyof typeof ofUsers]) : action
  }
  return {
    wordsOf,
    did: (entry: Entry) => wordsOf(didOf(entry)),
    fieldsOf: ({ details }: Entry) =>
      details.map(({ field }) => (has(fields, field) ? t(`fields.${field}`) : field)).join(', '),
  }
}

/** The actions to choose from. A new address is no action of its own: several lead to it. */
export const choices = [...actions, ...Object.keys(ofUsers)].filter(
  (action, at, all) => action !== 'newEmail' && all.indexOf(action) === at,
)
