import { hostileName } from './hostile'
import type { Owner } from './owner'
import { inParallel } from './parallel'
import { type Random, randomOf } from './random'
import { addresses } from './target'

/** How much of everything a working day has. */
export type Size = { agents: number; exports: number; people: number; calls: number; days: number }

/** As much as a demanding owner has. */
export const full: Size = { agents: 25, exports: 60, people: 200, calls: 4_000, days: 30 }

/** What was done since a moment (both in milliseconds), and how long ago it should have been done. */
export type Step = { since: number; ago: number }

/** What a filled account is known by. */
export type Filled = {
  agents: { id: string; name: string }[]
  exports: { id: string; name: string; apiKey: string }[]
  people: string[]
  /** The exports that are looked at for what they are. */
  special: { nearLimit: string; twoKeys: string; paused: string; expired: string; pinned: string; removed: string }
  /** How many calls got each HTTP status. */
  statuses: Record<number, number>
}

type Options = {
  size?: Size
  seed: number
  /** Moves what was done to when it should have been. Without it all has been done just now. */
  moveBack?: (steps: Step[]) => Promise<void>
  say?: (text: string) => void
}

const day = 24 * 3600_000
const hour = 3600_000

/** Fills an account, through the two APIs, with what an owner of many agents has after a month. The same seed makes the same calls. */
export async function workingDay(
  owner: Owner,
  { size = full, seed, moveBack, say = () => {} }: Options,
): Promise<Filled> {
  const world = new World(owner, size, randomOf(seed))
  await world.makeAgents()
  await world.makeExports()
  say(`${size.agents} agents and ${size.exports} exports`)
  await world.livePast()
  say(`calls of ${size.days} days`)
  world.step(0)
  await moveBack?.(world.steps)
  const special = await world.setStates()
  await world.liveToday()
  const { agents, exports, people, statuses } = world
  return { agents, exports, people, statuses, special }
}

const unbroken = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(2).slice(0, 100)

const agentNames = [
  'Order desk',
  'Returns and refunds',
  'Table booking',
  'Billing questions',
  'Product advice',
  'Onboarding',
  'Warranty',
  'Delivery times',
  'خدمة العملاء',
  '🍵 Tea sommelier',
  hostileName,
  unbroken,
  'A name of many short words, as people write them when they are allowed to',
  'Internal IT help',
  'Job applications',
  'お客様サポート',
  'Night shift',
  'Wholesale',
  'Careers',
  'Spare parts',
  'Events',
  'Gift cards',
  'Complaints',
  'Store finder',
  'Old assistant',
]

const places = ['Website', 'Mobile app', 'WhatsApp bridge', 'Kiosk', 'Partner portal', 'Till', 'Staging', 'Email bot']

const notes = [
  'Shorter answers',
  'Names the carrier',
  'Asks for the order number first',
  'Less surprising',
  unbroken,
  '',
]

const questions = [
  'Where is my order ORD-20418?',
  'Can I still change the delivery address?',
  'The grinder arrived with a crack in the lid. What can I do?',
  'Do you deliver to Norway, and what does it cost?',
  'How long does a refund take?',
  'Which of your teas has no caffeine?',
  'أين طلبي رقم 20418؟',
  '注文はどこですか？ 🙏',
  'Please write me a longer text about tea. [[sandbox words=90]]',
  `My address is ${unbroken} 12, is that too long?`,
]

/** Of a month, and made in less than the minute in which an account has 60. */
const mostTests = 50

const failures = ['error', 'unavailable', 'timeout', 'blocked', 'garbage']

type Export = Filled['exports'][number] & { agent: number }

/** One customer's visit: some messages under one session ID. */
type Visit = { by: Export; person?: string; session: string; turns: number; fails: number }

class World {
  readonly steps: Step[] = []
  readonly agents: Filled['agents'] = []
  readonly exports: Export[] = []
  readonly people: string[]
  readonly statuses: Record<number, number> = {}
  private calls = 0
  private tests = 0

  constructor(
    private readonly owner: Owner,
    private readonly size: Size,
    private readonly random: Random,
  ) {
    this.people = Array.from({ length: size.people }, (_, at) => personName(at))
  }

  /** What is done from now on was done so long ago. */
  step(ago: number) {
    this.steps.push({ since: Date.now(), ago })
  }

  async makeAgents() {
    const { size, owner } = this
    for (let at = 0; at < size.agents; at++) {
      this.step((size.days + 1 + size.agents - at) * day)
      const name = agentNames[at] ?? `Branch ${at + 1}`
      // The last ones are a draft and one that gets no export.
      const publish = at !== size.agents - 2
      const instructions = `You answer customers of a small shop. You are its ${name.slice(0, 80)}.`
      const model = at % 5 === 4 ? 'sandbox/free' : 'sandbox/assistant'
      const agent = await owner.newAgent({ name, instructions, model, publish })
      this.agents.push(agent)
      if (!publish) continue
      for (let version = 0; version < at % 4; version++) {
        await owner.change(agent.id, { instructions: `${instructions}\n- Rule ${version + 1}: be brief.` })
        await owner.publish(agent.id, this.random.of(notes))
      }
    }
  }

  async makeExports() {
    const { size, owner } = this
    this.step((size.days + 1) * day)
    const callable = Math.max(1, size.agents - 2)
    const made = Array.from({ length: size.exports }, (_, at) => at)
    const exports = await inParallel(made, 4, async (at) => {
      // The first agents have most of the exports.
      const agent = at % 3 === 0 ? at % callable : at % Math.min(5, callable)
      const { id } = this.agents[agent] as Filled['agents'][number]
      const name =
        at === 9
          ? hostileName
          : at === 10
            ? unbroken
            : `${places[at % places.length]} ${Math.floor(at / places.length) + 1}`
      return { ...(await owner.newExport(id, name)), agent }
    })
    this.exports.push(...exports)
  }

  /** The calls of all days but the last hour, each in its hour. */
  async livePast() {
    const now = new Date()
    const hours = Array.from(
      { length: this.size.days * 24 - 1 },
      (_, at) => new Date(now.getTime() - (this.size.days * 24 - at) * hour),
    )
    const weights = hours.map((at) => busyAt(at) * (0.5 + this.random.next()))
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    let due = 0
    for (const [at, moment] of hours.entries()) {
      due += ((weights[at] ?? 0) / total) * this.size.calls * 0.95
      const count = Math.round(due - this.calls)
      if (count < 1) continue
      this.step(now.getTime() - moment.getTime())
      await this.live(count, now.getTime() - moment.getTime() < day)
    }
  }

  /** Makes so many calls at once, eight at a time. Today one agent fails more than others. */
  private async live(count: number, today: boolean) {
    const visits: Visit[] = []
    for (let left = count; left > 0; ) {
      const turns = Math.min(left, 1 + this.random.below(5))
      const by = this.random.early(this.exports)
      const person = this.random.next() < 0.8 ? this.random.early(this.people) : undefined
      const fails = today && by.agent === 1 ? 0.35 : 0.03
      visits.push({ by, person, session: `visit-${this.calls + left}-${this.random.below(1_000)}`, turns, fails })
      left -= turns
    }
    this.calls += count
    await inParallel(visits, 8, (visit) => this.visit(visit))
    if (this.random.next() < 0.1 && this.tests++ < mostTests)
      await this.owner.sendTestMessage(this.random.of(this.agents).id, 'What would you say?')
  }

  private async visit({ by, person, session, turns, fails }: Visit) {
    // Each visit draws for itself: which of several at once comes first changes nothing.
    const random = randomOf(this.random.below(2 ** 31))
    for (let turn = 0; turn < turns; turn++) {
      const message = random.next() < fails ? `Hello? [[sandbox fail=${random.of(failures)}]]` : random.of(questions)
      const body = { message, session_id: session, user_id: person, stream: random.next() < 0.1 }
      const chance = random.next()
      if (chance < 0.02) await this.send(by.apiKey, { ...body, message: '' })
      else if (chance < 0.03) await this.send(by.apiKey, { ...body, context: 5 })
      else if (chance < 0.05) {
        const key = { 'Idempotency-Key': `${session}-${turn}` }
        await this.send(by.apiKey, body, key)
        await this.send(by.apiKey, chance < 0.045 ? body : { ...body, message: 'Something else' }, key)
      } else await this.send(by.apiKey, body)
    }
  }

  /** Sends one message as a customer's server does, and reads the answer to its end. */
  private async send(apiKey: string, body: Record<string, unknown>, headers: Record<string, string> = {}) {
    const response = await fetch(addresses().chat, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    await response.text()
    this.statuses[response.status] = (this.statuses[response.status] ?? 0) + 1
  }

  /** Gives the exports and people of today the states that an owner looks after. */
  async setStates(): Promise<Filled['special']> {
    const { owner, exports, people } = this
    const at = (place: number) => exports[place % exports.length] as Export
    const change = (id: string, fields: Record<string, unknown>) =>
      mutate(owner, 'updateApiExport', 'UpdateApiExportInput', { id, ...fields })
    const [nearLimit, twoKeys, pinned, paused, expired, removed] = [at(1), at(2), at(3), at(5), at(6), at(7)]
    await change(nearLimit.id, { dailyCreditLimit: 400 })
    await change(at(4).id, { monthlyCreditLimit: 5_000, userDailyMessageLimit: 25 })
    await change(pinned.id, { version: 1 })
    await change(at(8).id, { expiresAt: new Date(Date.now() + 3.5 * day).toISOString() })
    await change(expired.id, { expiresAt: new Date(Date.now() + 2_000).toISOString() })
    // The new key is in use already, and so is the old one.
    const next = await owner.replaceKey(twoKeys.id, new Date(Date.now() + 2.2 * day).toISOString())
    for (const { id } of [paused, at(11), at(14)]) await mutate(owner, 'pauseApiExport', 'PauseApiExportInput', { id })
    for (const { id } of [removed, at(13)]) await mutate(owner, 'removeApiExport', 'RemoveApiExportInput', { id })
    for (const userId of [1, 11, 40].map((place) => people[place % people.length]))
      await mutate(owner, 'blockEndUser', 'BlockEndUserInput', { userId })
    for (const [place, limit] of [3, 20, 50].entries())
      await mutate(owner, 'setEndUserLimit', 'SetEndUserLimitInput', {
        userId: people[(place * 5) % people.length],
        dailyMessageLimit: limit,
      })
    exports.splice(3, 0, { ...twoKeys, apiKey: next })
    const old = this.agents.at(-1)
    if (old) await mutate(owner, 'unpublishAgent', 'UnpublishAgentInput', { id: old.id })
    return {
      nearLimit: nearLimit.id,
      twoKeys: twoKeys.id,
      paused: paused.id,
      expired: expired.id,
      pinned: pinned.id,
      removed: removed.id,
    }
  }

  /** The calls of the last minutes: the limits count, and who is blocked is refused. */
  async liveToday() {
    await this.live(Math.round(this.size.calls * 0.05), true)
  }
}

/** How much a shop is asked at an hour of the day: little at night, and half as much at the weekend. */
function busyAt(at: Date): number {
  const weekend = at.getDay() % 6 === 0 ? 0.5 : 1
  return weekend * (0.1 + Math.max(0, Math.sin(((at.getHours() - 6) / 16) * Math.PI)))
}

/** The user_id of a customer: most are a shop's own numbers, some are addresses, and some are anything. */
function personName(at: number): string {
  if (at === 4) return hostileName
  if (at === 6) return 'ليلى.حداد'
  if (at === 8) return `👩‍🚀 ${unbroken}`
  return at % 3 === 0 ? `customer.${at}@example.com` : `user-${10_000 + at * 37}`
}

async function mutate(owner: Owner, name: string, type: string, input: Record<string, unknown>) {
  await owner.gql(`mutation($input: ${type}!) { ${name}(input: $input) { __typename } }`, { input })
}
