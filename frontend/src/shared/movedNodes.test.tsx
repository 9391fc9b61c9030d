import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { tolerateMovedNodes } from './movedNodes'

/** Moves each text node into an element of its own, as translators do. */
function translate(within: Element) {
  for (const text of Array.from(within.childNodes).filter(({ nodeType }) => nodeType === Node.TEXT_NODE)) {
    const font = document.createElement('font')
    text.replaceWith(font)
    font.append(text)
  }
}

test('a page that was translated is still updated', () => {
  const { removeChild, insertBefore } = Node.prototype
  tolerateMovedNodes()
  try {
    const Page = ({ first, second }: { first?: string; second: boolean }) => (
      <p data-testid="page">
        {first}
        {second && <b>new</b>} and last
      </p>
    )
    const { rerender } = render(<Page first="one" second={false} />)
    const page = screen.getByTestId('page')
    translate(page)
    rerender(<Page first="one" second />)
    expect(page.textContent).toBe('onenew and last')
    rerender(<Page second={false} />)
    expect(page.textContent).toBe(' and last')
  } finally {
    Object.assign(Node.prototype, { removeChild, insertBefore })
  }
})
