import { useState } from 'react'
import type { Variable } from '@/features/versions'
import { isTooLong } from '@/shared/ui'
import type { Given } from '../messages/entries'

export const maxValue = 4_000
export const maxUserId = 255

export type Values = ReturnType<typeof useValues>

/** The values of variables and the end user that go with each message, at first those of the last one that was kept. */
export function useValues(declared: Variable[], kept?: Given) {
  const [values, setValues] = useState<ReadonlyMap<string, string>>(
    () => new Map(kept?.variables?.map(({ name, value }) => [name, value])),
  )
  const [userId, setUserId] = useState(kept?.userId ?? '')
  const names = declared.map(({ name }) => name)
  // Other versions may declare other variables: their values stay, but an unknown one would be refused.
  const given = names.flatMap((name) => ({ name, value: values.get(name) })).filter(isGiven)

  /** Sets a value; without one, the default value is used again. */
  const setValue = (name: string, value?: string) =>
    setValues((old) => {
      const others = [...old].filter(([other]) => other !== name)
      return new Map(value === undefined ? others : [...others, [name, value]])
    })
  return {
    typed: (name: string) => values.get(name),
    setValue,
    userId,
    setUserId,
    missing: declared.filter(({ name, required }) => required && !values.get(name)).map(({ name }) => name),
    tooLong: isTooLong(userId, maxUserId) || given.some(({ value }) => isTooLong(value, maxValue)),
    /** The number of values that were set. */
    count: given.length + (userId ? 1 : 0),
    given: { variables: given.length > 0 ? given : undefined, userId: userId || undefined } satisfies Given,
  }
}

type Value = NonNullable<Given['variables']>[number]
const isGiven = (one: { name: string; value?: string }): one is Value => one.value !== undefined
