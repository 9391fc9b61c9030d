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
  expect(screen.getByText('click').tagName).toBe('SPAN')
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

test.each([
  ['a very long line', 'x'.repeat(200_000)],
  ['quotes in quotes without end', `${'> '.repeat(4_000)}x`],
  ['lists in lists without end', `${'- '.repeat(4_000)}x`],
])('%s is shown as it is', async (_, text) => {
  show(text)
  expect(document.body.textContent).toContain(text)
})
