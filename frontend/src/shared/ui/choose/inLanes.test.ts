import { expect, test } from 'vitest'
import { inLanes } from './inLanes'

test('four are under way at once, one more begins when one ends, and what became of each is in their order', async () => {
  const begun: { item: string; end: () => void; fail: () => void }[] = []
  const ends = inLanes(
    [...'abcdef'],
    (item) => new Promise((end, fail) => begun.push({ item, end: () => end(item), fail })),
  )
  const items = () => begun.map(({ item }) => item).join('')
  expect(items()).toBe('abcd')
  begun[2]?.fail()
  await expect.poll(items).toBe('abcde')
  begun[0]?.end()
  await expect.poll(items).toBe('abcdef')
  for (const { end } of begun) end()
  expect((await ends).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
})

test('nothing to do is done', async () => {
  expect(await inLanes([], () => Promise.reject())).toEqual([])
})
