import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { session } from '@/shared/gql'
import { refusal } from '@/shared/testing/server'
import { agentService } from '@/testing/agentService'
import { fromMenu } from '@/testing/fromMenu'
import { knowledgeService, source } from '@/testing/knowledgeService'
import { renderPage } from '@/testing/renderPage'
import { stubUploads, type TestFile } from '@/testing/uploads'

afterEach(() => {
  cleanup() // first: a page that is still there would ask for a new sign-in
  session.signedOut()
  localStorage.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** The files that the page saves, by their names. */
function savedFiles() {
  const files: [name: string, content: Blob][] = []
  let last = new Blob()
  const createObjectURL = (blob: Blob) => {
    last = blob
    return 'blob:1'
  }
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL, revokeObjectURL: () => {} }))
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    files.push([this.download, last])
  })
  return files
}

test('an export is the settings and all that the draft knows, the oldest first, without what was not read', async () => {
  const long = 'é🛒'.repeat(60_000)
  const kinds = [
    source('s0', 'old', { inDraft: false, inVersions: [1] }),
    source('s1', 'Terms "1"', { body: 'Two\nlines.', characters: 10 }),
    source('s2', 'Why?', { kind: 'ANSWER', question: 'Why?\nWhy not?', body: 'So.', characters: 3 }),
    source('s3', 'long.pdf', { kind: 'FILE', pages: 2, body: long, characters: 120_000 }),
    source('s4', 'scan.pdf', { kind: 'FILE', state: 'FAILED' }),
    ...Array.from({ length: 40 }, (_, i) => source(`n${i}`, `Note ${i}`)),
  ]
  const { fields, answers } = knowledgeService(kinds.toReversed())
  const text = ({ body }: { body: string }, from: number, length: number) =>
    Array.from(body)
      .slice(from, from + length)
      .join('')
  const whole = kinds.map((one) => ({
    ...one,
    text: ({ offset = 0, length = 100_000 }) => text(one, offset, length),
  }))
  const node = ({ id }: { id: string }) => whole.find((one) => one.id === id) ?? answers.node({ id })
  const knowledge = (asked: { first: number; after?: string | null }) => {
    const page = fields.knowledge(asked)
    return { ...page, nodes: page.nodes.map(({ id }) => node({ id })) }
  }
  agentService({ ...fields, knowledge, fileHead: '{"name":"Shop"}' }, 1, { ...answers, node })
  const files = savedFiles()
  renderPage('/agents/a1')
  await fromMenu('Download agent file')
  await screen.findByText('File downloaded without sources that haven’t been processed: scan.pdf')
  expect(files.map(([name]) => name)).toEqual(['Shop.jsonl'])
  const lines = (await files[0]?.[1].text())?.split('\n').map((line) => line && JSON.parse(line)) ?? []
  expect(lines.slice(0, 4)).toEqual([
    { name: 'Shop' },
    { kind: 'TEXT', name: 'Terms "1"', text: 'Two\nlines.' },
    { kind: 'ANSWER', name: 'Why?', questions: ['Why?', 'Why not?'], text: 'So.' },
    { kind: 'FILE', name: 'long.pdf', pages: 2, text: long },
  ])
  expect(lines.slice(4).map((line) => line.name ?? line)).toEqual([...kinds.slice(5).map(({ name }) => name), ''])
})

test('a file is imported and its agent opened; what is wrong with it is said, and it can be chosen again', async () => {
  let sent: TestFile[] = []
  agentService({}, 0, {
    importAgent: ({ input }: { input: { file: TestFile } }) => {
      sent = [...sent, input.file]
      if (sent.length === 1) throw refusal('BAD_USER_INPUT', 'Line 5: The text is blank.')
      return { agent: { id: 'a1', name: 'Shop' }, notes: [], moreNotes: 0 }
    },
  })
  const requests = stubUploads()
  const { router } = renderPage('/agents')
  await userEvent.click(await screen.findByRole('button', { name: 'Import' }))
  const field = () => document.querySelector('input[type=file]') as HTMLInputElement
  const choose = (size: number) => {
    const file = new File(['{}'], 'Shop.jsonl')
    Object.defineProperty(file, 'size', { value: size })
    return userEvent.upload(field(), file)
  }
  await choose(20 * 1_024 ** 2 + 1)
  expect(await screen.findByText(/Files over 20 MB can’t be imported/)).toBeTruthy()
  expect(requests).toEqual([])
  await choose(2)
  expect(await screen.findByText('Line 5: The text is blank.')).toBeTruthy()
  expect(field().value).toBe('')
  await choose(2)
  await waitFor(() => expect(router.state.location.pathname).toBe('/agents/a1'))
  expect(sent).toHaveLength(2)
})

test('the notes on a file of another system are listed, and its draft can be opened or deleted', async () => {
  const note = { line: 40, path: 'app.name', kind: 'CHANGED', message: 'The name is cut to 100 characters.' }
  const { deleted } = agentService({}, 0, {
    importAgent: () => ({ agent: { id: 'a1', name: 'Shop' }, notes: [note, note], moreNotes: 1 }),
  })
  stubUploads()
  const user = userEvent.setup()
  vi.stubGlobal('isSecureContext', true)
  const { router } = renderPage('/agents')
  await screen.findByRole('button', { name: 'Import' })
  const choose = () =>
    user.upload(document.querySelector('input[type=file]') as HTMLInputElement, new File(['app:'], 'a.yml'))
  await choose()
  const dialog = await screen.findByRole('dialog', { name: '“Shop” imported as a draft' })
  const [head, ...rows] = within(dialog).getAllByRole('row')
  expect(head?.textContent).toBe('LineItemResult')
  expect(rows.map((row) => row.textContent)).toEqual(Array(2).fill('Line 40app.nameThe name is cut to 100 characters.'))
  expect(within(dialog).getByText('1 more note isn’t listed.')).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Copy list' }))
  const line = '40\tapp.name\tThe name is cut to 100 characters.'
  expect(await navigator.clipboard.readText()).toBe(`Line\tItem\tResult\n${line}\n${line}`)
  await user.click(within(dialog).getByRole('button', { name: 'Delete draft' }))
  await screen.findByText('Agent “Shop” deleted')
  expect(deleted).toEqual(['a1'])
  expect(screen.queryByRole('dialog')).toBeNull()
  await choose()
  await user.click(await screen.findByRole('button', { name: 'Open draft' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/agents/a1'))
})

test('leaving the page cancels an import', async () => {
  agentService()
  const requests = stubUploads({ atOnce: false })
  const { router } = renderPage('/agents')
  await screen.findByRole('button', { name: 'Import' })
  await userEvent.upload(document.querySelector('input[type=file]') as HTMLInputElement, new File(['{}'], 'a.jsonl'))
  await waitFor(() => expect(requests).toHaveLength(1))
  await router.navigate({ to: '/agents/$id', params: { id: 'a1' } })
  await waitFor(() => expect(requests[0]?.aborted).toBe(true))
  expect(document.querySelector('.panel-toasts')?.textContent).toBe('')
})
