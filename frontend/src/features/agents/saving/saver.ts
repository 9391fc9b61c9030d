import { hasCode, isPassing } from '@/shared/gql'
import type { Agent } from '../queries'
import { type Choices, type Merged, merge } from './merge'

export type Values = Record<string, unknown>

/** An agent, the values that were read from it, and the form's values that were saved as these. */
export type Base<V> = { agent: Agent; read: V; values: V }

/** What a saver works with. */
export type Links<V extends Values> = {
  valuesOf: (agent: Agent) => V
  /** Values as the service takes them: two that are sent alike are the same. */
  inputOf: (values: Partial<V>) => object
  /** The form's values at this moment. */
  read: () => V
  /** Puts values into the form. */
  write: (values: Partial<V>) => void
  /** The fields that break the form's rules. */
  invalid: (values: V) => string[]
  /** Shows at some fields what breaks the rules. */
  show: (fields: string[]) => void
  /** Shows what the service refused at its fields, and returns these. */
  refused: (error: unknown) => string[]
  /** Goes to the first field with an error. */
  lead: () => void
  /** Saves fields, unless the agent was changed since. */
  send: (input: object, on: Agent) => Promise<Agent>
  /** The agent as the service has it now. */
  latest: () => Promise<Agent>
}

/** `saving` from the first change to the answer; `editing` while a field is not complete yet. The last three need the owner. */
export type SavingState = 'saved' | 'saving' | 'editing' | 'invalid' | 'failed' | 'clash'

export type SaverView<V> = {
  state: SavingState
  /** The agent that the form is based on. */
  base: Base<V>
  /** Why the last save failed. It stays until one goes through. */
  error: unknown
  /** What was changed here and elsewhere, for the owner to choose. `theirs` are the values from elsewhere. */
  clash: { merged: Merged<V>; agent: Agent; theirs: V } | undefined
}

const pauseMs = 1_000
const retryMs = 5_000
/** How often a save that another change keeps overtaking is put together again. */
const mostMerges = 5

const isEmpty = (fields: object) => Object.keys(fields).length === 0

/**
 * Saves a form of an agent by itself: a second after the last change, one request at a time, and only the fields that were
 * changed. What was changed elsewhere meanwhile is put together with it; where both changed the same, nothing is saved until the
 * owner has chosen.
 */
export class Saver<V extends Values> {
  readonly #links: Links<V>
  #base: Base<V>
  /** What was sent since the last answer that came: the service may have it. */
  #sent: Partial<V>[] = []
  /** What the service refused: it is not sent again. */
  #refused: Partial<V> = {}
  #running: Promise<void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #waiting = false
  #stopped = false
  #error: unknown
  /** Whether the form shows errors at its fields. */
  #marked = false
  #seen: Agent | undefined
  #clash: SaverView<V>['clash']
  #view: SaverView<V>
  #listeners = new Set<() => void>()

  constructor(base: Base<V>, links: Links<V>) {
    this.#base = base
    this.#links = links
    this.#view = { state: 'saved', base, error: undefined, clash: undefined }
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  view = () => this.#view

  /** Whether the service has everything that the form has, and nothing is under way that could change that. */
  isSaved() {
    return this.#running === undefined && isEmpty(this.#mine())
  }

  /** To be called on each change of the form. */
  edited() {
    if (this.#clash) this.#adopt(this.#clash.agent)
    this.#later(this.isSaved() ? undefined : pauseMs)
    this.#tell()
  }

  /** To be called when the form shows errors at its fields, or none any more. */
  marked(any: boolean) {
    this.#marked = any
    this.#tell()
  }

  /** To be called with each agent that was read: it may have been changed elsewhere. */
  seen(agent: Agent) {
    this.#seen = agent
    this.#consider()
    this.#tell()
  }

  /** Saves now what is saved by itself in a moment. */
  hurry() {
    if (this.#waiting) this.#later(0)
  }

  /** Saves everything that can be saved, after what is under way. Resolves with whether nothing is left. */
  async flush(): Promise<boolean> {
    this.#later(undefined)
    this.#refused = {}
    this.#consider()
    this.#links.show(Object.keys(this.#mine()))
    for (;;) {
      if (this.#running) await this.#running
      else if (isEmpty(this.#sendable())) break
      else if (!(await this.#start())) break
    }
    this.#tell()
    const saved = this.isSaved()
    if (!saved && this.#error === undefined && !this.#clash) this.#links.lead()
    return saved
  }

  /** Takes what the owner chose of a clash, and saves it. */
  async resolve(choices: Choices) {
    const clash = this.#clash
    if (!clash) return
    this.#clash = undefined
    this.#put(clash.agent, clash.merged.settle(choices), clash.theirs)
    await this.flush()
  }

  /** Ends it: nothing more is sent. */
  stop() {
    this.#stopped = true
    this.#later(undefined)
  }

  /** Goes on after a stop. */
  go() {
    this.#stopped = false
    this.#tell()
  }

  #same = (field: string, a: unknown, b: unknown) => a === b || this.#plain(field, a) === this.#plain(field, b)

  #plain = (field: string, value: unknown) => JSON.stringify(this.#links.inputOf({ [field]: value } as Partial<V>))

  /** The fields that the owner has changed. */
  #mine(): Partial<V> {
    const { values } = this.#base
    return pick(this.#links.read(), (field, value) => !this.#same(field, value, values[field]))
  }

  /** Those of them that can be saved now. */
  #sendable(): Partial<V> {
    if (this.#clash || this.#stopped) return {}
    const invalid = this.#links.invalid(this.#links.read())
    const refused = (field: string, value: unknown) =>
      field in this.#refused && this.#same(field, value, this.#refused[field])
    return pick(this.#mine(), (field, value) => !invalid.includes(field) && !refused(field, value))
  }

  #later(ms: number | undefined) {
    clearTimeout(this.#timer)
    this.#waiting = ms !== undefined && !this.#stopped
    if (this.#waiting) this.#timer = setTimeout(() => void this.#due(), ms)
  }

  async #due() {
    this.#waiting = false
    while (this.#running) await this.#running
    this.#consider()
    await this.#start()
  }

  /** Sends what can be saved. Never called while a request is under way. Resolves with whether it went through. */
  async #start(): Promise<boolean> {
    if (isEmpty(this.#sendable())) return this.#tell()
    this.#running = this.#save().then(
      () => {
        this.#error = undefined
      },
      (error) => {
        this.#error = error
        if (isPassing(error) && !this.#waiting) this.#later(retryMs)
      },
    )
    this.#tell()
    await this.#running
    this.#running = undefined
    this.#consider()
    return this.#tell()
  }

  async #save() {
    for (let merges = 0; ; ) {
      const fields = this.#sendable()
      if (isEmpty(fields)) return
      this.#sent.push(fields)
      try {
        const agent = await this.#links.send(this.#links.inputOf(fields), this.#base.agent)
        const read = this.#links.valuesOf(agent)
        this.#base = { agent, read, values: { ...this.#base.values, ...fields } }
        this.#sent = []
        return
      } catch (error) {
        if (hasCode(error, 'CONFLICT') && ++merges <= mostMerges) {
          const latest = await this.#links.latest()
          if (latest.updatedAt === this.#base.agent.updatedAt) throw error
          this.#adopt(latest)
          continue
        }
        const refused = this.#links.refused(error)
        const known = pick(fields, (field) => refused.includes(field))
        if (isEmpty(known)) throw error
        this.#refused = { ...this.#refused, ...known }
      }
    }
  }

  /** Takes in the agent that was seen last, if it is newer than what the form is based on; not while somebody types. */
  #consider() {
    const agent = this.#seen
    if (
      !agent ||
      this.#running ||
      this.#waiting ||
      !isLater(agent.updatedAt, (this.#clash?.agent ?? this.#base.agent).updatedAt)
    )
      return
    this.#adopt(agent)
  }

  /** Puts together what was changed here and what was changed in a newer agent. */
  #adopt(agent: Agent) {
    const theirs = this.#links.valuesOf(agent)
    const { read: old } = this.#base
    const ours = (field: string) =>
      this.#sent.some((sent) => field in sent && this.#same(field, sent[field], theirs[field]))
    // A field keeps what the user typed unless another user changed it; a value that this form sent does not count.
    const before = { ...this.#base.values }
    for (const field of Object.keys(theirs) as (keyof V & string)[]) {
      if (this.#same(field, theirs[field], old[field])) theirs[field] = before[field]
      else if (ours(field)) before[field] = theirs[field]
    }
    const merged = merge(before, this.#links.read(), theirs, this.#same)
    this.#clash = merged.clashes.length > 0 ? { merged, agent, theirs } : undefined
    if (!this.#clash) this.#put(agent, merged.settle({}), theirs)
  }

  #put(agent: Agent, values: V, theirs: V) {
    this.#base = { agent, read: this.#links.valuesOf(agent), values: theirs }
    this.#sent = []
    const shown = this.#links.read()
    const changed = pick(values, (field, value) => value !== shown[field])
    if (!isEmpty(changed)) this.#links.write(changed)
  }

  #state(): SavingState {
    if (this.#clash) return 'clash'
    if (this.#running) return 'saving'
    if (this.isSaved()) return 'saved'
    if (this.#error) return 'failed'
    if (this.#waiting || !isEmpty(this.#sendable())) return 'saving'
    return this.#marked ? 'invalid' : 'editing'
  }

  /** Sees to it that what is left is saved, and shows where it stands. Returns whether the last save went through. */
  #tell() {
    if (this.isSaved()) this.#error = undefined
    const idle = !this.#waiting && !this.#running && this.#error === undefined
    if (idle && !isEmpty(this.#sendable())) this.#later(pauseMs)
    const next = { state: this.#state(), base: this.#base, error: this.#error, clash: this.#clash }
    const old = this.#view
    if (next.state !== old.state || next.base !== old.base || next.error !== old.error || next.clash !== old.clash) {
      this.#view = next
      for (const listener of this.#listeners) listener()
    }
    return this.#error === undefined
  }
}

function pick<T extends object>(values: T, wanted: (field: string, value: unknown) => boolean): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([field, value]) => wanted(field, value))) as Partial<T>
}

/** Whether a time of the service is after another. They have up to nine digits of a second, or none. */
function isLater(a: string, b: string) {
  const [x, y] = [Date.parse(a), Date.parse(b)]
  if (x !== y) return x > y
  return digits(a) > digits(b)
}

const digits = (time: string) => (/\.(\d+)/.exec(time)?.[1] ?? '').padEnd(9, '0')
