import { expect, type Page } from '@playwright/test'

/** A name of at most 100 characters that does harm where it is not treated as text. */
export const hostileName =
  '</script><script>hit=1</script><img src=x onerror=hit=1>[a](javascript:hit=1){{name}}$t(agents:new)'

/** Messages in the same spirit. The sandbox quotes the first 200 characters of each in its reply, which is read as Markdown. */
export const hostileMessages = [
  '<script>hit=1</script> <img src=x onerror="hit=1"> [click](javascript:hit=1) ![pixel](http://other.test/p.png)',
  '<http://auto.test> http://plain.test www.plain.test <svg onload=hit=1> <iframe src="http://frame.test"></iframe>',
  '[a][r] <details open ontoggle=hit=1>x</details> <javascript:hit=1> ![](data:text/html,x)\n\n[r]: javascript:hit=1',
  '<style>*{display:none}</style> <form action="http://form.test"><button>x</button></form> [](vbscript:hit=1)',
]

/** Expects that no hostile text has run, or become an element or a link. */
export async function expectTame(page: Page) {
  await expect
    .configure({ soft: true, timeout: 5_000 })
    .poll(() => page.evaluate(faultsOfPage), { message: page.url() })
    .toEqual([])
}

/** Runs in the page, and returns its faults. */
function faultsOfPage(): string[] {
  const faults: string[] = []
  if ('hit' in window) faults.push('something ran')
  const forbidden =
    'img, iframe, object, embed, form[action], main script, [onerror], [onload], [ontoggle], main style:not([data-mantine-styles])'
  for (const element of document.querySelectorAll(forbidden))
    faults.push(`an element: ${element.outerHTML.slice(0, 200)}`)
  for (const link of document.querySelectorAll('a[href]')) {
    if (!/^(https?|mailto):$/.test(new URL((link as HTMLAnchorElement).href).protocol))
      faults.push(`a link: ${link.outerHTML}`)
  }
  return faults
}
