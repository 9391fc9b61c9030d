import { accountId, userId } from '@/shared/gql'

// What users type and have not saved, by form: under `draft/<user>/<account>/<agent>/<form>` in the
// tab's storage, where it survives a reload, a crash and navigation. A form with a secret must not be
// kept here.

const root = 'draft/'
/** Wait after the last key. */
const pauseMs = 300
/** The longest text that goes to storage, in characters. */
const maxStored = 1_000_000

/** The drafts that storage does not have: just typed, too long, or refused by it. */
const unstored = new Map<string, unknown>()
let timer: ReturnType<typeof setTimeout> | undefined

const ofThisUser = () => `${root}${userId()}/${accountId()}/`

/** Names a form of an agent, as this user has it in this account. */
export const draftKey = (agentId: string, form: string) => `${ofThisUser()}${agentId}/${form}`

/** Returns what was kept under a key, if anything. Another build of the panel may have kept it. */
export function readDraft(key: string): unknown {
  return unstored.get(key) ?? withStorage((storage) => JSON.parse(storage.getItem(key) ?? 'null')) ?? undefined
}

/** Keeps a draft from now on, and in storage once the user pauses or leaves. */
export function keepDraft(key: string, draft: unknown) {
  // A form may outlive its user's session by a moment.
  if (userId() === undefined || !key.startsWith(ofThisUser())) return
  unstored.set(key, draft)
  clearTimeout(timer)
  timer = setTimeout(store, pauseMs)
}

/** Reports whether storage has a draft, so that a reload brings it back. */
export const isStored = (key: string) => withStorage((storage) => storage.getItem(key) !== null) ?? false

export function dropDraft(key: string) {
  unstored.delete(key)
  withStorage((storage) => storage.removeItem(key))
}

/** Drops the drafts of one agent, or of all. */
export function dropAllDrafts(agentId?: string) {
  dropWhere((_, ofAgent) => agentId === undefined || ofAgent === agentId)
}

/** Drops what another user left in this tab. */
export function dropDraftsOfOthers(user: string) {
  dropWhere((ofUser) => ofUser !== user)
}

function dropWhere(drop: (user?: string, agentId?: string) => boolean) {
  const stored = withStorage((storage) => Object.keys(storage).filter((key) => key.startsWith(root))) ?? []
  for (const key of [...stored, ...unstored.keys()]) {
    const [, user, , agentId] = key.split('/')
    if (drop(user, agentId)) dropDraft(key)
  }
}

function store() {
  clearTimeout(timer)
  for (const [key, draft] of unstored) {
    withStorage((storage) => {
      storage.removeItem(key) // an older one would come back as if it were the last
      const text = JSON.stringify(draft)
      if (text.length > maxStored) return
      storage.setItem(key, text)
      unstored.delete(key)
    })
  }
}

addEventListener('pagehide', store)

/** Works with the tab's storage; undefined if it is disabled, full or unreadable. */
function withStorage<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(sessionStorage)
  } catch {
    return undefined
  }
}
