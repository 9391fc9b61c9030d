import { expect, test, vi } from 'vitest'
import { ApiError } from '@/shared/gql'
import { addAll, answersIn } from './answers'
import { parseCsv } from './parseCsv'

const bytes = (text: string) => new TextEncoder().encode(text)

test.each([
  [
    'a,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,b\rc,',
    [
      ['a', 'b'],
      ['c', ''],
    ],
  ],
  ['"a ""b"", c","d\r\n\ne"\n', [['a "b", c', 'd\r\n\ne']]],
  ['a "quoted" word,b', [['a "quoted" word', 'b']]],
  ['"a","b,c"', [['a', 'b,c']]],
  ['"",b', [['', 'b']]],
  [
    'q;a\n"a;b";c, d\n',
    [
      ['q', 'a'],
      ['a;b', 'c, d'],
    ],
  ],
  ['a\tb, c; d\n', [['a', 'b, c; d']]],
  [
    'q,a\nb,c; d\n',
    [
      ['q', 'a'],
      ['b', 'c; d'],
    ],
  ],
  ['\n\na,b', [[''], [''], ['a', 'b']]],
  [
    'a,b,c\nd, e; f,g',
    [
      ['a', 'b', 'c'],
      ['d', ' e; f', 'g'],
    ],
  ],
  ['', []],
])('%j has the rows %j', (text, rows) => {
  expect(parseCsv(text)).toEqual({ rows, unclosed: false })
})

test('answers have the rows of the file, and those that cannot be added have a reason', () => {
  const { header, answers } = answersIn(
    bytes(
      '\ufeffQuestion,Answer\r\n"May I?\r\n Can I? \r\n",Yes.\r\n\r\n,No.\r\nWhy?,\r\nHow?,So, then\r\nWhen?,Now,,\r\n"Where?,Here\r\n',
    ),
  )
  expect(header).toBe(true)
  expect(answers).toEqual([
    { row: 1, questions: ['Question'], answer: 'Answer' },
    { row: 2, questions: ['May I?', 'Can I?'], answer: 'Yes.' },
    { row: 4, questions: [], answer: 'No.', problem: 'noQuestion' },
    { row: 5, questions: ['Why?'], answer: '', problem: 'noAnswer' },
    { row: 6, questions: ['How?'], answer: 'So', problem: 'columns' },
    { row: 7, questions: ['When?'], answer: 'Now' },
    { row: 8, questions: ['Where?,Here'], answer: '', problem: 'unclosed' },
  ])
})

test.each([
  ['UTF-8 with a mark', bytes('\ufeffÖl?,Ja - sofort')],
  ['UTF-8', bytes('Öl?,Ja - sofort')],
  [
    'UTF-16',
    new Uint8Array([
      0xff,
      0xfe,
      ...[...'Öl?,Ja - sofort'].flatMap((sign) => [sign.charCodeAt(0) & 255, sign.charCodeAt(0) >> 8]),
    ]),
  ],
  ['Windows-1252', new Uint8Array([0xd6, ...bytes('l?,Ja - sofort')])],
])('%s is read', (_, file) => {
  expect(answersIn(file)).toEqual({ header: false, answers: [{ row: 1, questions: ['Öl?'], answer: 'Ja - sofort' }] })
})

const rows = [1, 2, 3, 4].map((row) => ({ row, questions: [`${row}?`], answer: 'Yes.' }))
const failure = (code: string) => new ApiError(code, 'No.', { requestId: '' })

test('what the service refuses is left out, and the rest goes on', async () => {
  const taken = failure('CONFLICT')
  const add = vi.fn(async ({ row }: { row: number }) => {
    if (row === 2) throw taken
  })
  const done: number[] = []
  const signal = new AbortController().signal
  expect(await addAll(rows, add, { signal, onProgress: (count) => done.push(count) })).toEqual({
    added: 3,
    refused: [{ row: 2, error: taken }],
    left: 0,
  })
  expect(done).toEqual([1, 2, 3, 4])
})

test('it ends where the service cannot be asked, and where it is stopped', async () => {
  const error = failure('NETWORK')
  const add = async ({ row }: { row: number }) => {
    if (row === 3) throw error
  }
  const control = new AbortController()
  const steps = { signal: control.signal, onProgress: () => {} }
  expect(await addAll(rows, add, steps)).toEqual({ added: 2, refused: [], left: 2, error })
  const stop = (done: number) => done === 1 && control.abort()
  expect(await addAll(rows, add, { ...steps, onProgress: stop })).toEqual({ added: 1, refused: [], left: 3 })
})
