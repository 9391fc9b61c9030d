import { expect, test } from 'vitest'
import { safeParse } from 'zod/v4/core'
import { caseSchema, documentOf, expectedBy, newCase, newCheck, problemAt, valuesOf } from './document'

const whole = {
  name: 'Refund window',
  enabled: false,
  history: [{ message: 'Hi', reply: 'Hello!' }],
  message: 'Can I send it back?',
  variables: { plan: 'gold' },
  action_results: { order_status: { result: { state: 'shipped' } }, pay: { error: 'Down' }, none: { result: null } },
  checks: [
    { type: 'contains', not: true, text: ['a', 'b\nc'], exact: true },
    { type: 'equals', text: 'Yes' },
    { type: 'regex', pattern: 'a+' },
    { type: 'json_equals', path: '/a', value: null },
    { type: 'action', name: 'pay', arguments: { amount: 1 } },
    { type: 'cites', source: 'Terms' },
    { type: 'cites' },
    { type: 'max_ms', most: 900 },
    { type: 'judge', criterion: 'Kind' },
  ],
}

test('a document survives the form', () => {
  expect(JSON.parse(documentOf(valuesOf(JSON.stringify(whole))))).toEqual(whole)
})

test('each check says what it expects', () => {
  const expected = whole.checks.map((_, at) => expectedBy(JSON.stringify(whole), at))
  expect(expected.map(({ value }) => value)).toEqual([
    'a / b\nc',
    'Yes',
    'a+',
    '/a = null',
    'pay {"amount":1}',
    'Terms',
    '',
    '900 ms',
    '',
  ])
  expect(expected.filter(({ not }) => not)).toHaveLength(1)
})

test('a number that JavaScript would round stays as written', () => {
  const document = '{"message":"m","checks":[{"type":"json_equals","path":"","value":9007199254740993}]}'
  expect(documentOf(valuesOf(document))).toContain('"value":9007199254740993}')
})

test('a minimal document is enabled and has no checks', () => {
  expect(valuesOf('{"message":"m"}')).toEqual({ ...newCase(), message: 'm', checks: [] })
})

test('fields of other types are not part of the document', () => {
  const check = { ...newCheck(), type: 'judge' as const, not: true, criterion: 'Kind', pattern: 'a', most: '5' }
  const { checks } = JSON.parse(documentOf({ ...newCase(), message: 'm', checks: [check] }))
  expect(checks).toEqual([{ type: 'judge', criterion: 'Kind' }])
})

const paths = (values: object) =>
  safeParse(caseSchema, { ...newCase(), message: 'm', checks: [], ...values }).error?.issues.map(({ path }) =>
    path.join('.'),
  ) ?? []

test.each([
  [{}, []],
  [{ message: ' \n' }, ['message']],
  [{ history: [{ message: 'a', reply: '' }] }, ['history.0.reply']],
  [{ variables: [{ name: 'a b', value: '' }] }, ['variables.0.name']],
  [
    {
      variables: [
        { name: 'a', value: '' },
        { name: 'a', value: '' },
      ],
    },
    ['variables.1.name'],
  ],
  [{ results: [{ name: 'a', fails: false, text: '{' }] }, ['results.0.text']],
  [{ results: [{ name: 'a', fails: true, text: '{' }] }, []],
  [{ checks: [newCheck()] }, ['checks.0.text']],
  [{ checks: [{ ...newCheck(), text: ['a', ''] }] }, ['checks.0.text']],
  [{ checks: [{ ...newCheck(), type: 'regex' }] }, ['checks.0.pattern']],
  [{ checks: [{ ...newCheck(), type: 'json_equals', value: 'a' }] }, ['checks.0.value']],
  [{ checks: [{ ...newCheck(), type: 'action', name: 'a', arguments: '[]' }] }, ['checks.0.arguments']],
  [{ checks: [{ ...newCheck(), type: 'max_ms', most: '1.5' }] }, ['checks.0.most']],
  [{ checks: [{ ...newCheck(), type: 'judge' }] }, ['checks.0.criterion']],
  [{ checks: [{ ...newCheck(), type: 'cites' }] }, []],
])('the rules refuse %j at %j', (values, wrong) => expect(paths(values)).toEqual(wrong))

test.each([
  ['checks.0.pattern contains (?!.', { path: 'checks.0.pattern', message: 'Contains (?!.' }],
  ['variables.b is too long.', { path: 'variables.1.value', message: 'Is too long.' }],
  ['action_results.pay.error is blank.', { path: 'results.0.text', message: 'Is blank.' }],
  ['action_results.my order has no valid name.', { path: 'results.1.name', message: 'Has no valid name.' }],
  ['The test case is larger than 64 KiB.', undefined],
])('%s is about %j', (message, at) => {
  const variables = ['a', 'b'].map((name) => ({ name, value: '' }))
  const results = ['pay', 'my order'].map((name) => ({ name, fails: false, text: '' }))
  expect(problemAt(message, { variables, results })).toEqual(at)
})
