// Sets the colour scheme before the first paint, of the browser's own colours, too. The key and the values are Mantine's.
;(() => {
  let chosen = null
  try {
    chosen = window.localStorage.getItem('mantine-color-scheme-value')
  } catch {
    // Storage is disabled: follow the system.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches)
  const scheme = dark ? 'dark' : 'light'
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
  // Not the element's own style, which would outlast a change of the scheme.
  document.head.insertAdjacentHTML('beforeend', `<meta name="color-scheme" content="${scheme}" />`)
})()
