import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderInPanel } from '@/shared/testing/render'
import { MarkdownText } from './MarkdownText'

const show = (text: string) => renderInPanel(<MarkdownText text={text} blockLabel="Code or table" />)

test('shows markdown, tables and lists of tasks', async () => {
  show('# Opening hours\n\n| day | open |\n|---|---|\n| Monday | 9 |\n\n- [x] done\n\n**bold**')
  expect((await screen.findByText('bold')).tagName).toBe('STRONG')
  expect(screen.getByRole('cell', { name: 'Monday' })).toBeTruthy()
  expect(screen.getByRole('region', { name: 'Code or table' }).tabIndex).toBe(0)
  expect(screen.getByText(/☑/)).toBeTruthy()
  expect(screen.queryByRole('heading')).toBeNull()
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('a link leads out without a word of where it came from', async () => {
  show('[site](https://example.com/a) and [mail](mailto:ada@example.com)')
  const link = await screen.findByRole('link', { name: 'site' })
  expect(link.getAttribute('rel')?.split(' ').sort()).toEqual(['nofollow', 'noopener', 'noreferrer'])
  expect(screen.getAllByRole('link')).toHaveLength(2)
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  '/credits',
  '//evil.example',
])('a link to %s is no link', async (target) => {
  show(`**ready** [click](${target})`)
  await screen.findByText('ready')
  expect(screen.getByText('click').tagName).toBe('BDI')
  expect(document.querySelector('a')).toBeNull()
})

test('HTML stays text and images are not fetched', async () => {
  show('**ready** <img src=x onerror=alert(1)>\n\n<script>alert(1)</script>\n\n![a cat](https://evil.example/cat.png)')
  await screen.findByText('ready')
  expect(document.querySelector('img, script')).toBeNull()
  expect(document.body.textContent).toContain('<img src=x onerror=alert(1)>')
  expect(document.body.textContent).toContain('<script>alert(1)</script>')
  expect(screen.getByText('a cat')).toBeTruthy()
})

test('footnotes of two texts do not share their ids', async () => {
  const text = '**ready** word[^1]\n\n[^1]: note'
  renderInPanel(
    <>
      <MarkdownText text={text} blockLabel="" />
      <MarkdownText text={text} blockLabel="" />
    </>,
  )
  await waitFor(() => expect(screen.getAllByText('ready')).toHaveLength(2))
  const ids = [...document.querySelectorAll('li[id]')].map(({ id }) => id)
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(2)
})

/** What a reader sees of a text as people write it, a line for each line. */
async function seen(text: string) {
  renderInPanel(<MarkdownText text={`**ready** ${text}`} blockLabel="" lineBreaks />)
  const shown = (await screen.findByText('ready')).parentElement
  for (const end of shown?.querySelectorAll('br') ?? [])
    if (!end.nextSibling?.textContent?.startsWith('\n')) end.after('\n')
  return shown?.textContent?.replace(/^ready /, '')
}

test.each([
  ['5~10 EUR and 20~30', undefined],
  ['~~struck~~ out', 'struck out'],
  ['one\ntwo\r\nthree', 'one\ntwo\nthree'],
  ['**one**\n*two*', 'one\ntwo'],
  ['C:\\Users\\new and \\d+', undefined],
  ['ends in C:\\new\\\nnext', undefined],
  ['2 \\* 3', '2 * 3'],
  ['a <b>\nc</b>', undefined],
])('%j is shown as it was written', async (text, want = text) => {
  expect(await seen(text)).toBe(want)
  expect(document.querySelector('del') === null).toBe(!text.includes('~~'))
})

test('lines stay in lists, quotes and what looks like HTML, and are filled in prose', async () => {
  const text = '- **ready**\n  one\n\n> two\n> three\n\n<div>\nfour</div>'
  const { unmount } = renderInPanel(<MarkdownText text={text} blockLabel="" lineBreaks />)
  await screen.findByText('ready')
  expect(document.querySelectorAll('br')).toHaveLength(3)
  expect(screen.getByText(/<div>/).tagName).toBe('P')
  unmount()
  renderInPanel(<MarkdownText text={text} blockLabel="" />)
  await screen.findByText('ready')
  expect(document.querySelector('br')).toBeNull()
})

test('each block has the direction of its own text, links are isolated, and programs run left to right', async () => {
  const text =
    'ready\n\n\u05E9\u05DC\u05D5\u05DD [a](https://example.com)\n\n- \u0645\n\n```js\nx\n```\n\n```\ny\n```\n\n# h\n\n|a|\n|-|'
  renderInPanel(<MarkdownText text={text} blockLabel="Code" lineBreaks />)
  await screen.findByText('h')
  const blocks = [...document.querySelectorAll('.panel-user-text > *')]
  const dirs = blocks.map((block) => `${block.tagName} ${(block.querySelector('table') ?? block).getAttribute('dir')}`)
  expect(dirs).toEqual(['P auto', 'P auto', 'UL auto', 'SECTION ltr', 'SECTION auto', 'P auto', 'SECTION auto'])
  expect(screen.getByRole('link').getAttribute('dir')).toBe('auto')
  expect(document.querySelector('li')?.getAttribute('dir')).toBeNull() // else the list would not see its text
})

test.each([
  ['a very long line', 'x'.repeat(200_000)],
  ['quotes in quotes without end', `${'> '.repeat(4_000)}x`],
  ['lists in lists without end', `${'- '.repeat(4_000)}x`],
])('%s is shown as it is', async (_, text) => {
  show(text)
  expect(document.body.textContent).toContain(text)
})
