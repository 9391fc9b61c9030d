/** Goes to the search field of the page's list, unless something lies over the page. */
export function focusListSearch() {
  if (document.querySelector('[role="dialog"]:not([data-side-panel])')) return
  document.querySelector<HTMLInputElement>('[data-list-search]')?.focus()
}
