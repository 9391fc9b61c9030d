import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '@/shared/gql'
import type { Agent } from '../queries'
import { Saver } from './saver'

type Fields = { name: string; instructions: string; turns: string }

/** A service that answers when it is told to, and a form. */
function setUp() {
  let changes = 0
  const moment = () => `2026-01-01T00:00:00.${String(changes++).padStart(6, '0')}Z`
  const agentOf = (fields: Fields) => ({ id: 'a1', ...fields, updatedAt: moment() }) as unknown as Agent & Fields
  let stored = agentOf({ name: 'Shop', instructions: 'one\ntwo\nthree', turns: '40' })
  const valuesOf = (agent: Agent) => {
    const { name, instructions, turns } = agent as Agent & Fields
    return { name, instructions, turns }
  }
  const form = { values: valuesOf(stored), shown: [] as string[], led: 0 }
  const asked: { input: Partial<Fields>; on: string; answer: () => void; fail: (error: Error) => void }[] = []
  const apply = (input: Partial<Fields>, on: string) => {
    if (on !== stored.updatedAt) throw failure('CONFLICT')
    stored = agentOf({ ...valuesOf(stored), ...input })
    return stored
  }
  const saver = new Saver<Fields>(
    { agent: stored, read: valuesOf(stored), values: valuesOf(stored) },
    {
      valuesOf,
      inputOf: ({ name, ...rest }) => ({ ...rest, ...(name !== undefined && { name: name.trim() }) }),
      read: () => form.values,
      write: (values) => {
        form.values = { ...form.values, ...values }
        saver.edited()
      },
      invalid: ({ name }) => (name.trim() === '' ? ['name'] : []),
      show: (fields) => form.shown.push(...fields),
      lead: () => form.led++,
      refused: (error) => ((error as ApiError).code === 'BAD_USER_INPUT' ? ['name'] : []),
      send: (input, on) =>
        new Promise((resolve, reject) => {
          const answer = () => {
            try {
              resolve(apply(input, on.updatedAt))
            } catch (error) {
              reject(error)
            }
          }
          asked.push({ input, on: on.updatedAt, answer, fail: reject })
        }),
      latest: async () => stored,
    },
  )
  return {
    saver,
    form,
    asked,
    stored: () => valuesOf(stored),
    type: (values: Partial<Fields>) => {
      form.values = { ...form.values, ...values }
      saver.edited()
    },
    /** Another tab saves. */
    elsewhere: (fields: Partial<Fields>) => apply(fields, stored.updatedAt),
    /** Applies the last request without answering it. */
    lose: () => apply(asked.at(-1)?.input ?? {}, stored.updatedAt),
  }
}

const failure = (code: string) => new ApiError(code, '', { requestId: '' })
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('saves a second after the last change, only what was changed', async () => {
  const { saver, asked, type, stored } = setUp()
  type({ instructions: 'a' })
  await pass(999)
  type({ instructions: 'ab' })
  await pass(999)
  expect(asked).toEqual([])
  expect(saver.view().state).toBe('saving')
  await pass(1)
  expect(asked.map(({ input }) => input)).toEqual([{ instructions: 'ab' }])
  asked[0]?.answer()
  await pass(0)
  expect(saver.view().state).toBe('saved')
  expect(stored().instructions).toBe('ab')
  await pass(60_000)
  expect(asked).toHaveLength(1)
})

test('a late answer takes back no newer text, and no two requests are under way at once', async () => {
  const { saver, asked, type, form, stored } = setUp()
  type({ instructions: 'a' })
  await pass(1_000)
  type({ instructions: 'ab' })
  await pass(5_000)
  type({ instructions: 'abc' })
  void saver.flush()
  await pass(5_000)
  expect(asked).toHaveLength(1)
  asked[0]?.answer()
  await pass(0)
  expect(form.values.instructions).toBe('abc')
  expect(asked.map(({ input }) => input)).toEqual([{ instructions: 'a' }, { instructions: 'abc' }])
  asked[1]?.answer()
  await pass(0)
  expect(stored().instructions).toBe('abc')
  expect(saver.view().state).toBe('saved')
})

test('publishing waits for a save that is under way, and for what was typed since', async () => {
  const { saver, asked, type } = setUp()
  type({ instructions: 'a' })
  await pass(1_000)
  type({ instructions: 'ab' })
  let saved: boolean | undefined
  void saver.flush().then((all) => {
    saved = all
  })
  asked[0]?.answer()
  await pass(0)
  expect(saved).toBeUndefined()
  asked[1]?.answer()
  await pass(0)
  expect(saved).toBe(true)
})

test('what was changed back while its save was under way is saved, too', async () => {
  const { saver, asked, type, stored } = setUp()
  type({ name: 'Desk' })
  await pass(1_000)
  type({ name: 'Shop' })
  expect(saver.isSaved()).toBe(false)
  asked[0]?.answer()
  await pass(1_000)
  asked[1]?.answer()
  await pass(0)
  expect(stored().name).toBe('Shop')
  expect(saver.view().state).toBe('saved')
})

test('invalid fields wait, the others are saved; only the invalid ones are asked about', async () => {
  const { saver, asked, type, form, stored } = setUp()
  type({ name: ' ', instructions: 'a' })
  await pass(1_000)
  expect(asked.map(({ input }) => input)).toEqual([{ instructions: 'a' }])
  asked[0]?.answer()
  await pass(0)
  expect(saver.view().state).toBe('editing')
  expect(form.shown).toEqual([])
  expect(await saver.flush()).toBe(false)
  expect(form.shown).toContain('name')
  saver.marked(true)
  expect(saver.view().state).toBe('invalid')
  expect(form.led).toBe(1)
  expect(stored()).toMatchObject({ name: 'Shop', instructions: 'a' })
  type({ name: 'Desk' })
  await pass(1_000)
  asked[1]?.answer()
  await pass(0)
  expect(saver.view().state).toBe('saved')
})

test('what the service refuses is not sent again until it is changed; the rest is saved', async () => {
  const { saver, asked, type, stored } = setUp()
  type({ name: 'Bad', instructions: 'a' })
  await pass(1_000)
  asked[0]?.fail(failure('BAD_USER_INPUT'))
  await pass(0)
  expect(asked[1]?.input).toEqual({ instructions: 'a' })
  asked[1]?.answer()
  await pass(60_000)
  expect(asked).toHaveLength(2)
  saver.marked(true)
  expect(saver.view().state).toBe('invalid')
  type({ name: 'Good' })
  await pass(1_000)
  asked[2]?.answer()
  await pass(0)
  expect(stored()).toMatchObject({ name: 'Good', instructions: 'a' })
})

test('without a connection it says so, and tries again by itself', async () => {
  const { saver, asked, type } = setUp()
  type({ instructions: 'a' })
  await pass(1_000)
  asked[0]?.fail(failure('NETWORK'))
  await pass(0)
  expect(saver.view().state).toBe('failed')
  await pass(5_000)
  // The message stays while it tries, and with it the button that has the focus.
  expect(saver.view()).toMatchObject({ state: 'saving', error: { code: 'NETWORK' } })
  asked[1]?.answer()
  await pass(0)
  expect(saver.view()).toMatchObject({ state: 'saved', error: undefined })
})

test('a change elsewhere of other lines and fields is put together with mine, and saved', async () => {
  const { saver, asked, type, form, elsewhere, stored } = setUp()
  type({ instructions: 'one\ntwo\nthree!' })
  elsewhere({ instructions: 'ONE\ntwo\nthree', name: 'Desk' })
  await pass(1_000)
  asked[0]?.answer() // CONFLICT
  await pass(0)
  expect(form.values).toMatchObject({ instructions: 'ONE\ntwo\nthree!', name: 'Desk' })
  asked[1]?.answer()
  await pass(0)
  expect(stored()).toMatchObject({ instructions: 'ONE\ntwo\nthree!', name: 'Desk' })
  expect(saver.view().state).toBe('saved')
})

test('what clashes is saved only once it was chosen', async () => {
  const { saver, asked, type, form, elsewhere, stored } = setUp()
  type({ instructions: 'one\nmine\nthree', name: 'Mine' })
  elsewhere({ instructions: 'one\ntheirs\nthree', name: 'Theirs' })
  await pass(1_000)
  asked[0]?.answer() // CONFLICT
  await pass(60_000)
  expect(saver.view().state).toBe('clash')
  expect(asked).toHaveLength(1)
  expect(form.values.instructions).toBe('one\nmine\nthree')
  type({ turns: '3' })
  await pass(60_000)
  expect(await saver.flush()).toBe(false)
  expect(asked).toHaveLength(1)
  expect(stored()).toMatchObject({ instructions: 'one\ntheirs\nthree', name: 'Theirs' })
  const [name, lines] = saver.view().clash?.merged.clashes ?? []
  expect(lines).toMatchObject({ kind: 'lines', line: 2, mine: 'mine', theirs: 'theirs' })
  void saver.resolve({ [lines?.id ?? '']: 'both', [name?.id ?? '']: 'theirs' })
  await pass(0)
  asked[1]?.answer()
  await pass(0)
  expect(stored()).toEqual({ instructions: 'one\ntheirs\nmine\nthree', name: 'Theirs', turns: '3' })
  expect(saver.view().state).toBe('saved')
})

test('what was saved though its answer was lost is no change from elsewhere', async () => {
  const { saver, asked, type, lose, stored } = setUp()
  type({ instructions: 'a' })
  await pass(1_000)
  lose()
  asked[0]?.fail(failure('TIMEOUT'))
  type({ instructions: 'ab' })
  await pass(1_000)
  asked[1]?.answer() // CONFLICT
  await pass(0)
  expect(saver.view().state).toBe('saving')
  asked[2]?.answer()
  await pass(0)
  expect(stored().instructions).toBe('ab')
  expect(saver.view().state).toBe('saved')
})

test('what was read before is not taken for newer; what was read during a save waits for its end', async () => {
  const { saver, asked, type, form, elsewhere, lose } = setUp()
  const old = elsewhere({ name: 'Old' })
  saver.seen(old)
  expect(form.values.name).toBe('Old')
  type({ instructions: 'a' })
  await pass(1_000)
  asked[0]?.answer()
  await pass(0)
  saver.seen(old)
  expect(form.values.instructions).toBe('a')
  type({ instructions: 'ab' })
  await pass(1_000)
  type({ instructions: 'abc' })
  saver.seen(lose())
  expect(saver.view().state).toBe('saving')
  expect(form.values.instructions).toBe('abc')
})

test('once stopped, nothing more is sent', async () => {
  const { saver, asked, type } = setUp()
  type({ instructions: 'a' })
  saver.stop()
  await pass(60_000)
  expect(asked).toEqual([])
})
