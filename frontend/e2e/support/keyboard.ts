import { expect, type Locator, type Page } from '@playwright/test'

type Role = Parameters<Page['getByRole']>[0]

const mostSteps = 60

/** Works a page as somebody without a pointer does: with the keys alone, and only where the focus can be seen. */
export class Keyboard {
  constructor(private readonly page: Page) {}

  /** Tabs to what has this role and name; backwards when that is how one would go. Fails when it is not reached. */
  async to(role: Role, name: string | RegExp, { back = false } = {}) {
    const wanted = this.page.getByRole(role, { name, exact: typeof name === 'string' })
    await expect(wanted.first(), `the ${role} "${name}"`).toBeVisible()
    // Tab skips disabled controls, and a few dozen presses take less time than a page needs to show saved data.
    await expect(wanted.first(), `the ${role} "${name}"`).toBeEnabled()
    await this.tabTo(wanted, `the ${role} "${name}"`, back)
  }

  /** Tabs to it and presses Enter. */
  async press(role: Role, name: string | RegExp, options: { back?: boolean } = {}) {
    await this.to(role, name, options)
    await this.page.keyboard.press('Enter')
  }

  /** Tabs to a field and types into it what is not there yet. */
  async type(name: string | RegExp, text: string) {
    await this.to('textbox', name)
    await this.page.keyboard.type(text)
  }

  /** Checks that the focus is where the user continues, without a Tab. */
  async isAt(role: Role, name: string | RegExp) {
    const wanted = this.page.getByRole(role, { name, exact: typeof name === 'string' })
    await expect(this.focused(wanted), `the focus on the ${role} "${name}"`).toHaveCount(1)
  }

  /** Chooses from an open list by the arrows. */
  async choose(option: RegExp) {
    const wanted = this.page.getByRole('option', { name: option })
    await expect(wanted).toBeVisible()
    for (let step = 0; step < mostSteps; step++) {
      await this.page.keyboard.press('ArrowDown')
      if ((await wanted.getAttribute('data-combobox-selected')) !== null) return this.page.keyboard.press('Enter')
    }
    throw new Error(`The arrows do not reach the option ${option}`)
  }

  private focused = (wanted: Locator) => this.page.locator(':focus').and(wanted)

  private async tabTo(wanted: Locator, what: string, back: boolean) {
    const passed: string[] = []
    for (let step = 0; step < mostSteps; step++) {
      if (await this.focused(wanted).count()) return this.focusIsSeen(what)
      await this.page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
      passed.push(await this.page.evaluate(() => document.activeElement?.outerHTML.slice(0, 100) ?? ''))
    }
    throw new Error(`Tab does not reach ${what}; it passed\n${passed.join('\n')}`)
  }

  /** The focused element is in sight, lies under nothing, and looks different for being focused. */
  private async focusIsSeen(what: string) {
    await expect(this.page.locator(':focus')).toBeInViewport()
    await expect
      .poll(() => this.page.evaluate(looks), `${what} with the focus`)
      .toEqual({ focusVisible: true, differs: true, uncovered: true })
  }
}

/** Runs in the page. A copy next to the focused element shows how it looks without the focus. */
export function looks() {
  const element = document.activeElement as HTMLElement
  const seen = (one: HTMLElement) =>
    [undefined, '::before', '::after'].map((part) => {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor } = getComputedStyle(
        one,
        part,
      )
      const outline = outlineStyle === 'none' ? '' : `${outlineStyle} ${outlineWidth} ${outlineColor}`
      return [outline, boxShadow, borderColor, backgroundColor].join()
    })
  // A field's frame may be what changes, around the element that has the focus.
  const differs = [element, element.parentElement as HTMLElement].some((one) => {
    const copy = one.cloneNode(one !== element) as HTMLElement
    // A chosen radio button unsets the one of the same name.
    for (const named of [copy, ...copy.querySelectorAll('[name]')]) named.removeAttribute('name')
    one.after(copy)
    const different = seen(copy).join() !== seen(one).join()
    copy.remove()
    return different
  })
  const { x, width, top: begin, bottom: end } = element.getBoundingClientRect()
  // The middle of what is in the window, even of a field that leaves the pointer to what is around it.
  const { pointerEvents } = element.style
  element.style.pointerEvents = 'auto'
  const top = document.elementFromPoint(x + width / 2, (Math.max(begin, 0) + Math.min(end, innerHeight)) / 2)
  element.style.pointerEvents = pointerEvents
  return {
    focusVisible: element.matches(':focus-visible'),
    differs,
    // A radio button's own label may lie over it.
    uncovered:
      top !== null &&
      (element.contains(top) ||
        top.contains(element) ||
        [...((element as HTMLInputElement).labels ?? [])].some((label) => label.contains(top))),
  }
}
