import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { session } from '@/shared/gql'
import { agentService } from '@/testing/agentService'
import { knowledgeService, type TestSource } from '@/testing/knowledgeService'
import { renderPage } from '@/testing/renderPage'
import { stubUploads } from '@/testing/uploads'

beforeEach(() => localStorage.setItem('build sections', '["knowledge"]'))
afterEach(() => {
  cleanup() // first: a mounted page would ask for a new sign-in
  session.signedOut()
  localStorage.clear()
  vi.unstubAllGlobals()
})

function show(sources: TestSource[] = []) {
  const { state, fields, answers } = knowledgeService(sources)
  agentService(fields, 0, answers)
  renderPage('/agents/a1')
  return { state }
}

const part = async () => within(await screen.findByRole('region', { name: 'Knowledge' }))
const press = async (name: string, within = screen as Pick<typeof screen, 'findByRole'>) =>
  userEvent.click(await within.findByRole('button', { name }))
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const file = (name: string, text = 'Within 30 days.') => new File([text], name)

/** A file that claims a size, without the content. */
const large = (name: string, size: number) => Object.defineProperty(file(name), 'size', { value: size })

/** The input behind a button that chooses files. */
const field = async (name: string | RegExp, within: Pick<typeof screen, 'findByRole'>) =>
  (await within.findByRole('button', { name })).previousElementSibling as HTMLInputElement
/** Rows of two columns as the service reads them. */
const table = (rows: string[][], problems: Record<number, string | undefined> = {}, from = 1) => ({
  encoding: 'utf-8',
  header: from > 1,
  rows: rows.map(([question, answer], at) => ({
    row: at + from,
    questions: question?.split('\n'),
    answer,
    problem: problems[at + from] ?? null,
  })),
  added: 0,
  notes: [] as object[],
})

const csv = async (name = 'Answers.csv') => {
  stubUploads()
  await press('Import Q&A from CSV', await part())
  const form = await dialog('Import Q&A from CSV')
  fireEvent.change(await field('Choose file', form), { target: { files: [file(name)] } })
  return form
}
const items = (within: Pick<typeof screen, 'getByRole'>, name: string) =>
  Array.from(within.getByRole('list', { name }).children, ({ textContent }) => textContent)

test('answers of a CSV file are shown and added, and skipped rows are listed with number and reason', async () => {
  const { state } = show()
  const rows = [
    ['May I?\nCan I?', 'Yes, you may.'],
    ['Why?', ''],
    ['Open?', 'No.'],
    ['When?', 'Now.'],
  ]
  const full = 'An agent can have 10,000 passages.'
  state.table = ({ header, add }) => ({
    ...(header === false
      ? table([['Question', 'Answer'], ...rows])
      : table(rows, { 3: 'The answer is missing.', ...(add ? { 4: full, 5: full } : {}) }, 2)),
    added: add ? 1 : 0,
    notes: [{ code: 'QUOTES', message: '1 quotation mark has no partner.', count: 1, sample: null, encoding: null }],
  })
  const form = await csv()
  expect(await form.findByText('3 answers will be added.')).toBeTruthy()
  expect(items(form, '3 answers will be added.')).toEqual([
    'Row 2: May I? / Can I? → Yes, you may.',
    'Row 4: Open? → No.',
    'Row 5: When? → Now.',
  ])
  expect(items(form, '1 row skipped')).toEqual(['Row 3: The answer is missing.'])
  expect(form.getByText('1 quotation mark has no partner.')).toBeTruthy()
  const header = form.getByRole('checkbox', { name: 'First row is a header' })
  expect(header).toHaveProperty('checked', true)
  await userEvent.click(header)
  expect(await form.findByText('5 answers will be added.')).toBeTruthy()
  await userEvent.click(header)
  await press('Add 3 answers', form)
  expect((await form.findByRole('alert')).textContent).toBe('1 answer added, 2 failed:')
  expect(items(form, 'Rows not added')).toEqual(['Row 3: The answer is missing.', `Row 4: ${full}`])
  expect(form.getByText(/^1 more row wasn’t tried/)).toBeTruthy()
  const input = { agentId: 'a1', file: { name: 'Answers.csv', size: 15 }, encoding: null }
  expect(state.calls.map(([, sent]) => sent)).toEqual([
    { ...input, header: null, add: false },
    { ...input, header: false, add: false },
    { ...input, header: true, add: false },
    { ...input, header: true, add: true },
  ])
  await userEvent.keyboard('{Enter}') // Close has the focus
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('an encoding that is not certain is selected before answers are added', async () => {
  const { state } = show()
  state.table = ({ encoding, add }) => ({
    ...table([[encoding === 'koi8-r' ? 'Цена?' : 'жЕМЮ?', '5']]),
    added: add ? 1 : 0,
    notes: encoding
      ? []
      : [
          { code: 'ENCODING', message: 'It may be windows-1251.', count: 1, sample: 'жЕМЮ?', encoding: 'windows-1251' },
          { code: 'ENCODING', message: 'It may be koi8-r.', count: 1, sample: 'Цена?', encoding: 'koi8-r' },
        ],
  })
  const form = await csv()
  const select = await form.findByRole('combobox', { name: 'Encoding' })
  expect(await form.findByText('Which text is right?')).toBeTruthy()
  const options = within(select).getAllByRole('option')
  expect(options.slice(0, 4).map(({ textContent }) => textContent)).toEqual([
    'Detect automatically',
    'windows-1251 · жЕМЮ?',
    'koi8-r · Цена?',
    'utf-8',
  ])
  expect(form.getByRole('button', { name: 'Add 1 answer' })).toHaveProperty('disabled', true)
  await userEvent.selectOptions(select, 'koi8-r')
  expect(await form.findByText('Row 1: Цена? → 5')).toBeTruthy()
  await press('Add 1 answer', form)
  expect(await screen.findByText('1 answer added')).toBeTruthy()
  expect(state.calls.map(([, { encoding, add }]) => [encoding, add])).toEqual([
    [null, false],
    ['koi8-r', false],
    ['koi8-r', true],
  ])
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a stopped import can be repeated', async () => {
  const { state } = show()
  state.table = ({ add }) => ({ ...table([['A?', '1']]), added: add ? 1 : 0 })
  const form = await csv()
  const add = await form.findByRole('button', { name: 'Add 1 answer' })
  const requests = stubUploads({ atOnce: false })
  await userEvent.click(add)
  await press('Stop', form)
  await waitFor(() => expect(requests).toHaveLength(2)) // it reads the file again
  expect(requests[0]?.aborted).toBe(true)
  await requests[1]?.pass()
  await waitFor(() => expect(form.queryByRole('button', { name: 'Stop' })).toBeNull())
  expect(form.queryByRole('alert')).toBeNull()
  stubUploads()
  await press('Add 1 answer', form)
  expect(await screen.findByText('1 answer added')).toBeTruthy()
})

test('a CSV file without answers adds nothing', async () => {
  const { state } = show()
  state.table = () => table([])
  const form = await csv()
  expect(await form.findByText('No answers to add.')).toBeTruthy()
  expect(form.getByRole('button', { name: 'Add answers' })).toHaveProperty('disabled', true)
  fireEvent.change(await field('Choose another file', form), { target: { files: [large('A.csv', 2 * 1_024 ** 2)] } })
  expect((await form.findByRole('alert')).textContent).toContain('The file is larger than 1 MB.')
})
