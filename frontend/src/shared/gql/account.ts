// The account that this tab is about. Every request names it. Another account is another page load: all that this page has of the old
// one ends with it, also drafts, uploads and streams. Each tab keeps its own account, and a new tab begins with the one used last.

/** The account, and the user who was let into it, and as what; not known of an account that only the address named. */
type Chosen = { account: string; user?: string; role?: string }

const stored = 'account'
const lostBy = 'account lost by'

let chosen = fromAddress() ?? read()
/** Whether the service has answered for it since the page was loaded. */
let confirmed = false

/** The id of this tab's account; undefined before the service has named one. */
export const accountId = () => chosen?.account

/** The id of the user who was let into this tab's account, once the service has said so. */
export const userId = () => (confirmed ? chosen?.user : undefined)

/** The user's role in the account when it was last read, which the first page goes by until it is read again. */
export const lastRole = () => chosen?.role

/** Keeps to the account that the service answered for. */
export function keepAccount(account: string, user: string, role: string) {
  confirmed = true
  if (chosen?.account === account && chosen.user === user && chosen.role === role) return
  chosen = { account, user, role }
  write()
}

/** Reloads the panel in another account, at the first page or at a path, which may have a query. */
export function switchAccount(account: string, path = '/') {
  const [pathname, search] = path.split('?')
  const query = new URLSearchParams(search)
  query.set('account', account)
  page.load(`${pathname}?${query}`)
}

/** Forgets the account, as after signing out. The next one is the user's first. */
export function forgetAccount() {
  chosen = undefined
  each((storage) => storage.removeItem(stored))
}

/**
 * Reloads the panel in the user's first account, because the service does not let the user into this one. If it was somebody else's, who had signed in
 * before, the address stays as it is.
 */
export function leaveAccount(user: string) {
  if (!chosen) return // another request has seen it already
  const before = chosen.user
  forgetAccount()
  if (before && before !== user) {
    page.load(window.location.pathname + window.location.search)
    return
  }
  if (before) each((storage) => storage.setItem(lostBy, before), [() => sessionStorage])
  page.load('/')
}

/** Whether this tab was reloaded because the user has left its account. True only once. */
export function hasLostAccount(user: string): boolean {
  let by: string | null = null
  each(
    (storage) => {
      by = storage.getItem(lostBy)
      storage.removeItem(lostBy)
    },
    [() => sessionStorage],
  )
  return by === user
}

/** Loads a page of the panel as if its address had been typed. */
export const page = { load: (path: string) => window.location.assign(path) }

/** The account that the address names, which then shows it no more. */
function fromAddress(): Chosen | undefined {
  const url = new URL(window.location.href)
  const account = url.searchParams.get('account')
  if (!account) return undefined
  url.searchParams.delete('account')
  window.history.replaceState(window.history.state, '', url)
  return { account }
}

function read(): Chosen | undefined {
  for (const storage of [() => sessionStorage, () => localStorage]) {
    try {
      const [account, user, role] = storage().getItem(stored)?.split(' ') ?? []
      if (account) return { account, user, role }
    } catch {
      // Storage is disabled.
    }
  }
  return undefined
}

function write() {
  const { account, user, role } = chosen ?? {}
  if (account && user && role) each((storage) => storage.setItem(stored, `${account} ${user} ${role}`))
}

function each(work: (storage: Storage) => void, storages = [() => sessionStorage, () => localStorage]) {
  for (const storage of storages) {
    try {
      work(storage())
    } catch {
      // Storage is disabled: this page still knows its account.
    }
  }
}

// The tab that is looked at is the one that was used last, so that links opened in a new tab stay in its account.
addEventListener('focus', write)

// Back may bring a page as it was left, with what it had of another account.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted || read()?.account === chosen?.account) return
  document.body.hidden = true
  window.location.reload()
})
