import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { session } from '@/shared/gql'
import { agentService } from '@/testing/agentService'
import { knowledgeService, source, type TestSource } from '@/testing/knowledgeService'
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
  const asked = { lists: 0 }
  const knowledge: typeof fields.knowledge = (args) => {
    asked.lists++
    return fields.knowledge(args)
  }
  agentService({ ...fields, knowledge }, 0, answers)
  renderPage('/agents/a1')
  return { state, asked }
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
const choose = async (...files: File[]) => fireEvent.change(await field('Files', await part()), { target: { files } })
const drop = async (...files: File[]) =>
  fireEvent.drop(await screen.findByRole('region', { name: 'Knowledge' }), {
    dataTransfer: { types: ['Files'], files },
  })

const row = async (name: string) =>
  within((await (await part()).findByRole('button', { name })).closest('tr') as HTMLElement)

test('files are sent one after the other, with progress, and can be cancelled', async () => {
  const requests = stubUploads({ atOnce: false })
  const { state } = show()
  await drop(file('One.md'), file('Two.pdf'), file('Three.txt'))
  const list = within(await (await part()).findByRole('list', { name: 'Files being added' }))
  await waitFor(() => expect(requests).toHaveLength(1))
  expect(list.getAllByText('Waiting to upload')).toHaveLength(2)
  requests[0]?.progress(0.4)
  const bar = await list.findByRole('progressbar', { name: 'Uploading One.md' })
  await waitFor(() => expect(bar.getAttribute('aria-valuenow')).toBe('40'))
  expect(list.getByText('40% of 15 bytes uploaded')).toBeTruthy()

  const leave = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(leave()).toBe(false)
  await press('Cancel Two.pdf', list)
  await press('Cancel One.md', list)
  expect(requests[0]?.aborted).toBe(true)
  await waitFor(() => expect(requests).toHaveLength(2))
  expect(list.getAllByRole('listitem')).toHaveLength(1)
  await requests[1]?.pass()
  expect((await row('Three.txt')).getByText('Queued')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Files being added' })).toBeNull())
  expect(leave()).toBe(true)
  expect(state.calls).toEqual([['file', { agentId: 'a1', name: 'Three.txt', file: { name: 'Three.txt', size: 15 } }]])
})

test('a file that cannot be added shows why, whether the panel or the service refuses it', async () => {
  const requests = stubUploads()
  const { state } = show()
  await choose(
    large('Big.pdf', 10 * 1_024 ** 2 + 1),
    file('Sheet.xlsx'),
    file('Empty.txt', ''),
    file('full.txt'),
    file('A.TXT'),
  )
  const list = within(await (await part()).findByRole('list', { name: 'Files being added' }))
  await row('A.TXT')
  await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(4))
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Big\.pdf.*The file is larger than 10 MB\.$/),
    expect.stringMatching(/^Sheet\.xlsx.*This file type isn’t supported\./),
    expect.stringMatching(/^Empty\.txt.*The file is empty\.$/),
    expect.stringMatching(/^full\.txt.*An agent can have 200 texts and files\.$/),
  ])
  expect(state.calls.map(([, { name }]) => name)).toEqual(['full.txt', 'A.TXT'])
  expect(requests).toHaveLength(2)
  expect(list.queryByRole('button', { name: /^Retry/ })).toBeNull()
  const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent
  const next = {
    'Big.pdf': 'Dismiss Sheet.xlsx',
    'full.txt': 'Dismiss Empty.txt',
    'Empty.txt': 'Dismiss Sheet.xlsx',
    'Sheet.xlsx': 'Files',
  }
  for (const [name, neighbour] of Object.entries(next)) {
    await press(`Dismiss ${name}`, list)
    expect(focused()).toBe(neighbour)
  }
  expect(screen.queryByRole('list', { name: 'Files being added' })).toBeNull()
})

test('the focus stays in place when a file has been sent', async () => {
  const requests = stubUploads({ atOnce: false })
  show()
  await choose(file('One.md'), file('Two.md'))
  await waitFor(() => expect(requests).toHaveLength(1))
  const cancel = await (await part()).findByRole('button', { name: 'Cancel Two.md' })
  cancel.focus()
  await requests[0]?.pass()
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Cancel Two.md'))
  await waitFor(() => expect(requests).toHaveLength(2))
  await requests[1]?.pass()
  await row('Two.md')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Files'))
})

test('a file whose upload failed can be sent again, even after the section was closed', async () => {
  const requests = stubUploads({ atOnce: false })
  const { state } = show()
  await choose(file('One.md'))
  await waitFor(() => expect(requests).toHaveLength(1))
  const heading = screen.getByRole('heading', { name: 'Knowledge' })
  await userEvent.click(heading)
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Knowledge' })).toBeNull())
  requests[0]?.onerror()
  await userEvent.click(heading)
  expect(await (await part()).findByText(/^Can’t reach the service/)).toBeTruthy()
  await press('Retry One.md', await part())
  await waitFor(() => expect(requests).toHaveLength(2))
  await requests[1]?.pass()
  await row('One.md')
  expect(state.calls).toHaveLength(1)
})

test('the list is polled only while a source is unread, and a read source counts at once', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { state, asked } = show([source('s1', 'Terms.pdf', { kind: 'FILE', state: 'WAITING' })])
  expect((await row('Terms.pdf')).getByText('Queued')).toBeTruthy()
  expect(screen.queryByText(/^Best-matching passages/)).toBeNull()
  const set = (changed: Partial<TestSource>) => {
    Object.assign(state.sources[0] as TestSource, changed)
    return vi.advanceTimersByTimeAsync(2_000)
  }
  await set({ state: 'READING' })
  await waitFor(async () => expect((await row('Terms.pdf')).getByText('Processing')).toBeTruthy())
  await set({ state: 'READY', pages: 12 as never, size: 2_048 })
  await waitFor(async () => expect((await row('Terms.pdf')).getByText('12 pages · 2 kB')).toBeTruthy())
  expect(await screen.findByText(/^Best-matching passages/)).toBeTruthy()
  const before = asked.lists
  await vi.advanceTimersByTimeAsync(20_000)
  expect(asked.lists).toBeLessThan(before + 3)
})

test('a file that could not be read shows why and can be read again, and the row keeps the focus', async () => {
  const reason = 'The file has no text: it is a scan.'
  const failed = { kind: 'FILE', state: 'FAILED', reason: reason as never }
  const { state } = show([source('s1', 'Scan.pdf', failed)])
  expect((await row('Scan.pdf')).getByText(reason)).toBeTruthy()
  await press('Scan.pdf', await part())
  const drawer = await dialog('Scan.pdf')
  expect(await drawer.findByText(reason)).toBeTruthy()
  expect(drawer.queryByRole('region', { name: 'Extracted text' })).toBeNull()
  expect(drawer.getByRole('button', { name: 'Retry Scan.pdf' })).toBeTruthy()
  await press('Close', drawer)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await press('Retry Scan.pdf', await part())
  expect(await (await row('Scan.pdf')).findByText('Queued')).toBeTruthy()
  expect(state.calls).toEqual([['retry', { id: 's1' }]])
  expect(document.activeElement?.textContent).toBe('Scan.pdf')
})

const candidates = [
  { code: 'ENCODING', message: 'It may be gbk.', sample: '退货期限是三十天。', encoding: 'gbk' },
  { code: 'ENCODING', message: 'It may be windows-1256.', sample: 'حثتغ', encoding: 'windows-1256' },
]
const doubtful = () =>
  source('s1', 'Terms.txt', {
    kind: 'FILE',
    state: 'FAILED',
    reason: 'The encoding is not certain.',
    notes: candidates,
  })

test('a file of an uncertain encoding is read again in the one that its owner selects', async () => {
  const { state } = show([doubtful()])
  expect((await row('Terms.txt')).queryByRole('button', { name: /^Retry/ })).toBeNull()
  await press('Terms.txt', await part())
  const drawer = await dialog('Terms.txt')
  const question = within(await drawer.findByRole('radiogroup', { name: 'Which text is right?' }))
  expect(question.getByRole('radio', { name: 'gbk 退货期限是三十天。' })).toHaveProperty('checked', true)
  const arabic = question.getByRole('radio', { name: 'windows-1256 حثتغ' })
  expect(question.getByText('حثتغ').dir).toBe('auto')
  await userEvent.selectOptions(drawer.getByLabelText('Other encoding'), 'big5')
  expect(question.getAllByRole('radio').filter((radio) => (radio as HTMLInputElement).checked)).toEqual([])
  await press('Use this encoding', drawer)
  expect(await drawer.findByText('Queued')).toBeTruthy()
  expect(document.activeElement?.role).toBe('dialog')

  Object.assign(state.sources[0] as TestSource, doubtful())
  await waitFor(() => expect(arabic.isConnected).toBe(false))
  await userEvent.click(await drawer.findByRole('radio', { name: 'windows-1256 حثتغ' }, { timeout: 5_000 }))
  await press('Use this encoding', drawer)
  await waitFor(() => expect(state.calls.map(([, { encoding }]) => encoding)).toEqual(['big5', 'windows-1256']))
})

test('a selected encoding that the service refuses stays selected', async () => {
  const { state } = show([{ ...doubtful(), notes: [] }])
  await press('Terms.txt', await part())
  const drawer = await dialog('Terms.txt')
  const select = await drawer.findByLabelText('Encoding')
  expect(drawer.queryByRole('radiogroup')).toBeNull()
  expect(drawer.queryByRole('button', { name: 'Use this encoding' })).toBeNull()
  await userEvent.selectOptions(select, 'koi8-r')
  state.sources = []
  await press('Use this encoding', drawer)
  expect((await drawer.findByRole('alert')).textContent).toContain('There is no such source.')
  expect(select).toHaveProperty('value', 'koi8-r')
})

test('a viewer sees that an encoding is uncertain, and no controls', async () => {
  const { fields, answers } = knowledgeService([doubtful()])
  const viewer = { id: '1', name: 'Northwind', viewerRole: 'VIEWER', requireSecondFactor: false, usage: [] }
  agentService(fields, 0, { ...answers, viewer })
  renderPage('/agents/a1?knowledge=s1')
  const drawer = await dialog('Terms.txt')
  expect(await drawer.findByText('The encoding is not certain.')).toBeTruthy()
  expect(drawer.queryByRole('radiogroup')).toBeNull()
  expect(drawer.queryByLabelText('Encoding')).toBeNull()
})

test('a file that was read shows its encoding and what was left out', async () => {
  const notes = [
    { code: 'HIDDEN', message: '2 hidden parts were left out.' },
    { code: 'PICTURES', message: '3 pictures have no description. Their content was not read.' },
  ]
  show([
    source('s1', 'Page.html', { kind: 'FILE', encoding: 'shift_jis', notes }),
    source('s2', 'Terms.docx', { kind: 'FILE' }),
  ])
  expect((await row('Page.html')).getByText('File · 2 notes')).toBeTruthy()
  expect((await row('Terms.docx')).getByText('File')).toBeTruthy()
  await press('Page.html', await part())
  const drawer = await dialog('Page.html')
  const left = within(await drawer.findByRole('region', { name: 'Left out' }))
  expect(left.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
    notes.map(({ message }) => message),
  )
  expect(drawer.getByText('Encoding').nextSibling?.textContent).toBe('shift_jis')
  await press('Close', drawer)
  await press('Terms.docx', await part())
  const other = await dialog('Terms.docx')
  await other.findByRole('region', { name: 'Extracted text' })
  expect(other.queryByRole('region', { name: 'Left out' })).toBeNull()
  expect(other.queryByText('Encoding')).toBeNull()
})

test('a file is replaced with a file in a selected encoding, and the new one is opened', async () => {
  const requests = stubUploads({ atOnce: false })
  const { state } = show([source('s1', 'Old.pdf', { kind: 'FILE', inVersions: [1] })])
  await press('Old.pdf', await part())
  await press('Replace file', await dialog('Old.pdf'))
  const form = await dialog('Replace file')
  const select = form.getByLabelText('Encoding')
  expect(select).toHaveProperty('value', '')
  expect(within(select).getByRole('option', { name: 'Detect automatically' })).toHaveProperty('selected', true)
  await userEvent.selectOptions(select, 'iso-8859-2')
  const put = async (name: string) =>
    fireEvent.change(await field(/^Choose (another )?file/, form), { target: { files: [file(name)] } })
  await put('New.odt')
  await press('Replace in draft', form)
  expect(await form.findByText(/^This file type isn’t supported/)).toBeTruthy()
  await put('New.csv')
  await press('Replace in draft', form)
  await waitFor(() => expect(requests).toHaveLength(1))
  requests[0]?.onerror()
  expect(await form.findByText(/^Can’t reach the service/)).toBeTruthy()
  expect(select).toHaveProperty('value', 'iso-8859-2')
  await press('Replace in draft', form)
  await waitFor(() => expect(requests).toHaveLength(2))
  await requests[1]?.pass()
  expect(await (await dialog('New.csv')).findByText('Queued')).toBeTruthy()
  expect(document.activeElement?.role).toBe('dialog')
  const sent = { name: 'New.csv', size: 15 }
  expect(state.calls).toEqual([['replace', { id: 's1', name: 'New.csv', file: sent, encoding: 'iso-8859-2' }]])
})
