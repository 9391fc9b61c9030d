import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { MarkdownText, PlainText } from '@/shared/markdown'
import { renderInPanel } from '@/shared/testing/render'
import { placesOf } from './places'

/** A hit with its words between [ and ]. */
function hitOf(marked: string) {
  const ranges = [...marked.matchAll(/\[(.*?)\]/gs)].map(({ index, 1: words = '' }, at) => ({
    start: index - 2 * at,
    length: words.length,
  }))
  return { number: 1, inReply: true, excerpt: marked.replace(/[[\]]/g, ''), ranges }
}

test.each([
  ['one word', 'is it gluten-free', '…it [gluten]-free', ['gluten']],
  ['all of them, as they were found', 'Gluten, gluten, GLUTEN', '[Gluten], [gluten]…', ['Gluten', 'gluten']],
  ['over a line break', 'free of\r\n\u0085 gluten', '[free of gluten]', ['free of\r\n\u0085 gluten']],
  ['no letter without its accent', 'cafe\u0301 cafe', '[cafe]', ['cafe']],
  ['signs of patterns', 'a+b (c) [d] 5$ \\ a.b aab', '[a+b (c)]', ['a+b (c)']],
  ['beyond the basic plane', '\u{1F600} tea \u{1F600}', '[\u{1F600} tea]', ['\u{1F600} tea']],
  ['nothing that is not there', 'something else', '[gluten]', []],
])('%s', (_, text, marked, want) => {
  const { container } = renderInPanel(<PlainText text={text} />)
  expect(placesOf(container, hitOf(marked)).map(String)).toEqual(want)
})

test('over emphasis, blocks and line breaks of Markdown; hostile text stays text', async () => {
  const text = 'is **it glu**ten\nfree <img src=x onerror=alert(1)>\n\n- gluten'
  const { container } = renderInPanel(<MarkdownText text={text} blockLabel="" lineBreaks />)
  await screen.findByText('it glu', { selector: 'strong' })
  expect(placesOf(container, hitOf('[gluten free <img] src')).map(String)).toEqual(['gluten\nfree <img'])
  expect(placesOf(container, hitOf('[gluten]')).map(String)).toEqual(['gluten', 'gluten'])
  expect(placesOf(container, hitOf('[**it]'))).toEqual([])
})

test('one text has at most 500 marks', () => {
  const { container } = renderInPanel(<PlainText text={'a'.repeat(100_000)} />)
  expect(placesOf(container, hitOf('[a][a]'))).toHaveLength(500)
})
