import type { Page } from '@playwright/test'
import { routes } from '../screenshots/states'
import { settled } from '../screenshots/visit'
import { expect } from './test'

/** A link of the panel, as it stood on a page. */
export type Link = { address: string; text: string; from: string }

/**
 * Follows the panel's links, breadth first from Home, and looks at what each leads to: once for each kind of link and subject. The moments
 * of a range, and what only orders or cuts a list, make no other kind. It returns the addresses that it came to.
 */
export async function crawl(
  page: Page,
  look: (link: Link) => Promise<void>,
  kindsOf = kindAndSubject,
): Promise<string[]> {
  const queue: Link[] = [{ address: '/', text: 'Home', from: 'the start' }]
  const seen = new Set(queue.flatMap(({ address }) => kindsOf(address)))
  const come: string[] = []
  for (let link = queue.shift(); link; link = queue.shift()) {
    await page.goto(link.address)
    await expect(page.getByRole('heading', { level: 1, includeHidden: true }).first(), told(link)).toBeAttached()
    await settled(page, {})
    await look(link)
    come.push(new URL(page.url()).pathname)
    for (const found of await page.locator('a[href]').evaluateAll(linksOf)) {
      const kinds = kindsOf(found.address)
      if (kinds.every((kind) => seen.has(kind))) continue
      for (const kind of kinds) seen.add(kind)
      queue.push({ ...found, from: link.address })
    }
  }
  return come
}

/** Nobody who is signed in is led here. */
const unlinked = ['/login', '/signup', '/forgot', '/reset', '/verify', '/undo-address', '/invitation']

/** The routes to which a crawl did not come. */
export const missed = (come: string[]) =>
  routes.filter((route) => {
    const address = new RegExp(`^${route.replaceAll('$id', '[0-9a-f-]{36}')}$`)
    return !unlinked.includes(route) && !come.some((path) => address.test(path))
  })

/** A link for a failure's message. */
export const told = ({ address, text, from }: Link) => `“${text}” of ${from}, to ${address}`

const unlike = new Set(['from', 'to', 'range', 'sort', 'order', 'after', 'first', 'period'])

/** The subject that a link leads to, and what it asks for there: each filter once, since lists pass all theirs on to each other. */
function kindAndSubject(address: string): string[] {
  const { pathname, searchParams } = new URL(address, 'http://panel')
  // Of a list with an open row only the row counts.
  const id = searchParams.get('id')
  if (id) return [`${pathname} ${id}`]
  const page = pathname.replaceAll(/[0-9a-f-]{36}/g, '$id')
  const kept = [...searchParams]
    .filter(([name]) => !unlike.has(name))
    .map(([name, value]) => `${page} ${name}=${value}`)
  return [pathname, ...kept]
}

/** The kinds of a link, whatever the subject: its page, and that with each thing that it asks for, not with each group of them. */
export function kindsAlone(address: string): string[] {
  const { pathname, searchParams } = new URL(address, 'http://panel')
  const page = pathname.replaceAll(/[0-9a-f-]{36}/g, '$id')
  return [page, ...[...searchParams.keys()].filter((name) => !unlike.has(name)).map((name) => `${page} ${name}`)]
}

/** Runs in the page: its links within the panel. */
function linksOf(anchors: Element[]): Omit<Link, 'from'>[] {
  return (anchors as HTMLAnchorElement[])
    .filter(({ origin, target, hash }) => origin === location.origin && target !== '_blank' && !hash)
    .map((anchor) => ({
      address: anchor.pathname + anchor.search,
      text: (anchor.getAttribute('aria-label') ?? anchor.innerText).trim().slice(0, 120),
    }))
}
