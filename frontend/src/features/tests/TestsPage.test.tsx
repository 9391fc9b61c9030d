import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { inMinutes, refusal } from '@/shared/testing/server'
import { agentService } from '@/testing/agentService'
import { renderPage } from '@/testing/renderPage'
import { stubUploads, type TestFile } from '@/testing/uploads'

beforeEach(() => sessionStorage.clear())

const caseId = '00000000-0000-4000-8000-000000000001'
const turnId = '00000000-0000-4000-8000-000000000002'
const runId = '00000000-0000-4000-8000-000000000003'
const address = '/agents/a1/tests'
const document = {
  name: 'Refund window',
  enabled: true,
  message: 'Can I?',
  checks: [{ type: 'contains', text: '30 days' }],
}

type Input = Record<string, unknown> & { document: string }

/** An agent with one test case and no runs yet, which records changes. */
function service({
  role = 'EDITOR',
  lost = 0,
  errorCode = null as string | null,
  cases = [{ id: caseId, number: 7, document: JSON.stringify(document) }],
} = {}) {
  const calls: [string, Record<string, unknown>][] = []
  const pageInfo = { hasNextPage: false, endCursor: null }
  const noted =
    (name: string, done: (input: Input) => unknown) =>
    ({ input }: { input: Input }) => {
      const { document, ...rest } = input
      calls.push([name, { ...rest, ...(document && { document: JSON.parse(document) }) }])
      return done(input)
    }
  const run = {
    id: runId,
    number: 4,
    model: null,
    state: 'FAILED',
    stopReason: null,
    repeats: 1,
    neededPasses: 1,
    whole: true,
  }
  const counts = { attempts: 1, done: 1, passed: 0, budget: 2, mostCredits: 2, credits: 2, createdAt: inMinutes(-1) }
  const outcome = {
    caseNumber: 7,
    case: cases[0],
    passes: 0,
    repeats: 1,
    passed: false,
    credits: 2,
    change: null,
    before: null,
  }
  const verdicts = [
    { check: 0, type: 'judge', passed: false, judgeTurn: { id: 'j1', reply: '{"passed":false,"reason":"Too rude"}' } },
  ]
  const result = {
    caseNumber: 7,
    repeat: 1,
    passed: false,
    verdicts,
    errorCode,
    turn: null,
    credits: 2,
    durationMs: 900,
  }
  agentService(
    {
      testCases: {
        nodes: cases.map((one) => ({ ...one, newestOutcome: { ...outcome, passes: 3, repeats: 5 } })),
        pageInfo,
      },
      testRuns: { nodes: [], pageInfo },
    },
    1,
    {
      viewer: { id: '1', name: 'Ada', viewerRole: role, usage: [] },
      testCase: ({ id }: { id: string }) => cases.find((one) => one.id === id),
      testCaseFrom: () => JSON.stringify({ name: 'Hi', enabled: false, message: 'From a turn', checks: [] }),
      createTestCase: noted('create', () => ({ testCase: cases[0] })),
      updateTestCase: noted('update', ({ document }) => {
        if (document.includes('(?!')) {
          const message = 'checks.0.pattern contains the lookaround (?!, which RE2 does not support.'
          throw refusal('BAD_USER_INPUT', message, { fields: [{ path: 'document', reason: 'not_supported', message }] })
        }
        return { testCase: cases[0] }
      }),
      deleteTestCases: noted('delete', ({ ids }) => ({ ids })),
      importTestCases: ({ input }: { input: { file: TestFile; skipUnsupported: boolean } }) => {
        calls.push(['import', { file: input.file.name, skip: input.skipUnsupported }])
        if (input.skipUnsupported) return { imported: 1, skipped: [{ line: 2, message: 'Left out: id.' }] }
        const message = 'Line 2: a test case cannot have id.'
        throw refusal('BAD_USER_INPUT', message, { fields: [{ path: 'file', reason: 'not_supported', message }] })
      },
      testRunPrice: { most: 2, exact: true, attempts: 1 },
      startTestRun: noted('start', () => {
        if (calls.length <= lost) throw refusal('UNAVAILABLE', 'Not available.')
        return { testRun: { id: runId } }
      }),
      testRun: {
        ...run,
        ...counts,
        agent: { id: 'a1' },
        version: null,
        startedBy: { name: 'Ada' },
        outcomes: { nodes: [outcome], pageInfo },
        results: { nodes: [result], pageInfo },
      },
    },
  )
  return { calls }
}

test('a row has the number, the name, the checks and the last result, and is switched off', async () => {
  const { calls } = service()
  renderPage(address)
  const row = (await screen.findByRole('link', { name: 'Refund window' })).closest('tr') as HTMLElement
  expect(row.textContent).toContain('#7')
  expect(row.textContent).toContain('3 of 5')
  await userEvent.click(within(row).getByRole('switch', { name: 'Test case 7 on' }))
  await waitFor(() => expect(calls).toEqual([['update', { id: caseId, document: { ...document, enabled: false } }]]))
})

test('viewers can read cases but not change them', async () => {
  service({ role: 'VIEWER' })
  const { router } = renderPage(address)
  await screen.findByRole('link', { name: 'Refund window' })
  for (const role of ['switch', 'checkbox']) expect(screen.queryByRole(role)).toBeNull()
  for (const name of ['Import', 'Run tests', 'Test settings']) expect(screen.queryByRole('button', { name })).toBeNull()
  await router.navigate({ to: address as never, search: { case: caseId } as never })
  expect(await screen.findByRole('group', { name: 'Check 1' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Save case' })).toBeNull()
})

test('the service’s errors appear at their fields, and typed input comes back', async () => {
  const { calls } = service()
  const { unmount } = renderPage(`${address}?case=${caseId}`)
  const check = within(await screen.findByRole('group', { name: 'Check 1' }))
  await userEvent.selectOptions(check.getByLabelText('Type'), 'regex')
  await userEvent.type(check.getByLabelText('Pattern'), '(?!a)')
  await userEvent.click(screen.getByRole('button', { name: 'Save case' }))
  expect(await check.findByText('Contains the lookaround (?!, which RE2 does not support.')).toBeTruthy()
  unmount()
  renderPage(`${address}?case=${caseId}`)
  expect(await screen.findByDisplayValue('(?!a)')).toBeTruthy()
  await userEvent.clear(screen.getByLabelText('Pattern'))
  await userEvent.type(screen.getByLabelText('Pattern'), 'a+')
  await userEvent.click(screen.getByRole('button', { name: 'Save case' }))
  await screen.findByRole('link', { name: 'Refund window' })
  expect(calls.at(-1)).toMatchObject([
    'update',
    { id: caseId, document: { ...document, checks: [{ type: 'regex', pattern: 'a+' }] } },
  ])
  expect(Object.keys(sessionStorage).filter((key) => key.includes('/case'))).toEqual([])
})

test('a case proposed from a turn is linked to its conversation', async () => {
  const { calls } = service()
  renderPage(`${address}?case=new&ofTurn=${turnId}`)
  await screen.findByDisplayValue('From a turn')
  expect(screen.getByText('Deleted with its conversation')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Save case' }))
  expect(await screen.findByText('Enter a text.')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Text'), 'Hello')
  await userEvent.click(screen.getByRole('button', { name: 'Save case' }))
  await waitFor(() => expect(calls).toHaveLength(1))
  expect(calls[0]).toMatchObject([
    'create',
    { agentId: 'a1', turnId, document: { message: 'From a turn', enabled: true } },
  ])
})

test('a file can be imported without its unsupported parts', async () => {
  stubUploads()
  const { calls } = service()
  const { container } = renderPage(address)
  await screen.findByRole('button', { name: 'Import' })
  const field = container.querySelector('input[type=file]') as HTMLInputElement
  await userEvent.upload(field, new File(['{}'], 'evals.jsonl'))
  expect(await screen.findByText('Line 2: a test case cannot have id.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Import without unsupported parts' }))
  expect(await screen.findByText('Line 2: Left out: id.')).toBeTruthy()
  expect(calls.map(([, { skip }]) => skip)).toEqual([false, true])
})

test('a run shows its price, starts once, and shows the judge’s reason', async () => {
  const { calls } = service()
  renderPage(address)
  await userEvent.click(await screen.findByRole('button', { name: 'Run tests' }))
  expect(await screen.findByText('Costs exactly 2 credits')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Start' }))
  expect(await screen.findByRole('heading', { name: 'Run 4' })).toBeTruthy()
  expect(calls).toMatchObject([['start', { agentId: 'a1', idempotencyKey: expect.any(String) }]])
  expect(await screen.findByText('Check 1, Judge: Too rude')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Refund window' }))
  expect(await screen.findByText('Attempt 1')).toBeTruthy()
  expect(screen.getByText('0 of 1 case passed · 1 attempt · 2 credits')).toBeTruthy()
})

test('a retry of a start has the key of the same values, and other values have another', async () => {
  const { calls } = service({ lost: 3 })
  renderPage(address)
  await userEvent.click(await screen.findByRole('button', { name: 'Run tests' }))
  const budget = await screen.findByLabelText('Budget')
  const start = async (times: number) => {
    await userEvent.click(screen.getByRole('button', { name: 'Start' }))
    await waitFor(() => expect(calls).toHaveLength(times))
  }
  await start(1)
  await start(2)
  await userEvent.type(budget, '5')
  await start(3)
  await userEvent.clear(budget)
  await start(4)
  expect(await screen.findByRole('heading', { name: 'Run 4' })).toBeTruthy()
  const [first, second, third, fourth] = calls.map(([, { idempotencyKey }]) => idempotencyKey)
  expect([second, fourth]).toEqual([first, first])
  expect(third).not.toBe(first)
})

test('an attempt that was refused has its code, and no deleted text', async () => {
  service({ errorCode: 'insufficient_credits' })
  renderPage(`${address}?run=${runId}`)
  await userEvent.click(await screen.findByRole('button', { name: 'Refund window' }))
  expect(await screen.findByText('Attempt 1')).toBeTruthy()
  expect(screen.getAllByText('insufficient_credits').length).toBeGreaterThan(0)
  expect(screen.queryByText('The text was deleted')).toBeNull()
})
