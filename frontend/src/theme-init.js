// Sets the colour scheme before the first paint. The key and the values are Mantine's.
;(() => {
  let chosen = null
  try {
    chosen = window.localStorage.getItem('mantine-color-scheme-value')
  } catch {
    // Storage is disabled: follow the system.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
