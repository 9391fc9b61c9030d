import { expect, test } from 'vitest'
import { countsOf, nameOf, reasonsOf } from './reasons'
import { inputsOf, priceOf, subjectsOf } from './starting'

const target = { agentId: 'a1', published: 3, cases: ['c1'] }
const values = { subject: 'draft' as const, version: '', model: '', budget: '' }

test('a run can test the draft, the live version, both, or another version or model', () => {
  const shared = { agentId: 'a1', cases: ['c1'], budget: undefined }
  const live = { ...shared, version: 3 }
  expect(inputsOf(values, target)).toEqual([shared])
  expect(inputsOf({ ...values, subject: 'live' }, target)).toEqual([live])
  expect(inputsOf({ ...values, subject: 'both', budget: 5 }, target)).toEqual([
    { ...shared, budget: 5 },
    { ...live, budget: 5 },
  ])
  expect(inputsOf({ ...values, subject: 'other', version: '2', model: 'acme/fast' }, target)).toEqual([
    { ...shared, version: 2, model: 'acme/fast' },
  ])
  expect(subjectsOf(undefined)).toEqual(['draft', 'other'])
})

test('a total price is known if all prices are, and exact if all are', () => {
  expect(priceOf([{ most: 3, exact: true }, undefined])).toBeUndefined()
  expect(priceOf([{ most: 3, exact: true }])).toEqual({ most: 3, exact: true })
  const both = [
    { most: 3, exact: true },
    { most: 4, exact: false },
  ]
  expect(priceOf(both)).toEqual({ most: 7, exact: false })
})

const judged = (reply: string | null) => ({
  check: 1,
  type: 'judge',
  passed: false,
  judgeTurn: reply === null ? null : { id: 't', reply },
})
const result = (caseNumber: number, more: object) => ({
  caseNumber,
  repeat: 1,
  passed: false,
  errorCode: null,
  credits: 1,
  durationMs: null,
  verdicts: [],
  turn: null,
  ...more,
})

test('a failed case shows the reason of its first failed attempt', () => {
  const reasons = reasonsOf([
    result(1, { passed: true }),
    result(1, { errorCode: 'model_error' }),
    result(1, { errorCode: 'model_timeout' }),
    result(2, {
      verdicts: [
        { ...judged(null), check: 0, type: 'cites', passed: true },
        judged('{"passed":false,"reason":"Rude"}'),
      ],
    }),
    result(3, { verdicts: [judged(null)] }),
    result(4, { verdicts: [judged('no JSON')] }),
    result(5, { passed: true }),
  ])
  const judge = { check: 1, type: 'judge' }
  expect([...reasons]).toEqual([
    [1, { code: 'model_error' }],
    [2, { ...judge, judged: 'Rude' }],
    [3, { ...judge, judged: undefined }],
    [4, { ...judge, judged: undefined }],
  ])
})

test('changes are counted, and erased cases have no name', () => {
  const changes = (['WORSE', 'SAME', 'SAME', 'EDITED', 'NEW', null] as const).map((change) => ({ change }))
  expect(countsOf(changes)).toEqual({ worse: 1, better: 0, same: 2 })
  expect(nameOf({ case: null })).toBeNull()
  expect(nameOf({ case: { id: 'c', document: '{"name":"A","message":"m"}' } })).toBe('A')
})
