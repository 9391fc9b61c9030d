import { expect, test } from 'vitest'
import type { TestGate, TestStanding } from '@/gql/graphql'
import { gateOf } from './gate'

const run = {
  id: 'r5',
  number: 5,
  version: null,
  model: null,
  whole: true,
  state: 'FAILED' as const,
  repeats: 2,
  attempts: 6,
  passed: 1,
}
const agent = (gate: TestGate, standing: TestStanding, runs: Partial<typeof run>[] = []) => ({
  id: 'a1',
  tests: { gate, standing },
  testRuns: { nodes: runs.map((one) => ({ ...run, ...one })) },
})

test.each([
  ['OFF', 'UNTESTED', true, undefined],
  ['WARN', 'NOT_NEEDED', false, [false, true]],
  ['WARN', 'UNTESTED', false, [true, true]],
  ['REQUIRE', 'FAILED', false, [true, false]],
  ['REQUIRE', 'FAILED', true, [true, true]],
  ['REQUIRE', 'PASSED', false, [false, false]],
] as const)('under %s a draft that is %s, for an owner %s: %j', (gate, standing, isOwner, expected) => {
  const found = gateOf(agent(gate, standing), isOwner)
  expect(found && [found.held, found.mayOverride]).toEqual(expected)
})

test('the gate shows the newest whole run of the draft with the draft’s standing', () => {
  const others = [
    { state: 'PASSED' as never },
    { whole: false },
    { state: 'STOPPED' as never },
    { version: { number: 1 } as never },
    { model: 'acme/fast' as never },
  ]
  const found = gateOf(agent('WARN', 'FAILED', [...others, {}, { number: 4 }]), false)
  expect(found?.run).toEqual({ id: 'r5', number: 5, cases: 3, failed: 2 })
})
