import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Agent, modelsQuery } from '@/features/agents'
import type { Result } from '@/features/conversations'
import type { Kept } from '../chat/kept'
import { type Answering, useAnswering } from '../chat/useAnswering'
import { useChat } from '../chat/useChat'
import type { Entry, Given } from '../messages/entries'

export type SideName = 'left' | 'right'

/** Where the page's address has what is chosen. */
const names = {
  left: { version: 'version', model: 'model' },
  right: { version: 'otherVersion', model: 'otherModel' },
} as const

export type Side = ReturnType<typeof useSide>

/** One side of a comparison: who answers, and a conversation of its own. */
export function useSide(agent: Agent, name: SideName, kept: Kept | undefined, continueFrom: string | undefined) {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const models = useQuery(modelsQuery)
  const version = search[names[name].version]
  const chosen = search[names[name].model]
  const own = useAnswering(agent, version)
  const answering: Answering =
    chosen === undefined
      ? own
      : {
          ...own,
          chosen,
          model: (!own.unknown && models.data?.models.find((model) => model.name === chosen)) || null,
          loading: own.loading || models.isPending,
        }
  const chat = useChat(agent.id, kept, continueFrom)
  const choose = (what: 'version' | 'model', value: number | string | undefined) =>
    void navigate({
      to: '.',
      search: (old) => ({ ...old, [names[name][what]]: value }),
      replace: true,
      resetScroll: false,
    })
  const declared = new Set(answering.variables?.map((variable) => variable.name))
  return {
    name,
    answering,
    /** The model of the draft or the version itself. */
    own: own.model,
    chat,
    choose,
    send: (message: string, pair: string, { variables, userId }: Given) => {
      const given = variables?.filter((one) => declared.has(one.name)) // an unknown one would be refused
      chat.send({ message, pair, version, model: chosen, variables: given?.length ? given : undefined, userId })
    },
    /** Goes on with the results of what a reply has asked for, to what has asked. */
    goOn: (entry: Entry, results: Result[]) =>
      chat.send({ message: '', results, version: entry.version, model: entry.model ?? chosen, userId: entry.userId }),
    /** What the service has kept does not say which model was asked for. */
    retry: (entry: Parameters<typeof chat.retry>[0]) =>
      chat.retry(entry.idempotencyKey === '' ? { ...entry, model: chosen } : entry),
  }
}
