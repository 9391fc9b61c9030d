/** The list of files by route ID that the build names in index.html; see scripts/files.mjs. The development server has none. */
const address = () => document.querySelector<HTMLMetaElement>('meta[name="panel-files"]')?.content

/** The files that were fetched, which the browser keeps. */
const fetched = new Set<string>()

let list: Promise<Record<string, string[]>> | undefined

/**
 * Fetches the files of routes, so that importing them cannot fail: browsers may remember a failed import until a reload. Files that
 * every page has are not among them.
 */
export async function fetchFiles(routeIds: string[], signal?: AbortSignal): Promise<void> {
  const at = address()
  if (!at) return
  list ??= fetchFile(at, { signal: AbortSignal.timeout(10_000) })
    .then((response) => response.json())
    .catch((error) => {
      list = undefined
      throw error
    })
  const byRoute = await list
  const missing = new Set(routeIds.flatMap((id) => byRoute[id] ?? []).filter((file) => !fetched.has(file)))
  await Promise.all(
    Array.from(missing, async (file) => {
      await (await fetchFile(file, { signal })).arrayBuffer() // browsers keep only what was read to its end
      fetched.add(file)
    }),
  )
}

/** Whether the service has another build than this page's, with other files. */
export async function isStale(): Promise<boolean> {
  const at = address()
  if (!at) return false
  const page = await fetchFile('/', { cache: 'no-store', signal: AbortSignal.timeout(10_000) }).then(
    (response) => response.text(),
    () => at,
  )
  return !page.includes(at)
}

async function fetchFile(file: string, options: RequestInit) {
  const response = await fetch(file, options)
  if (!response.ok) throw new Error(`${file}: ${response.status}`)
  return response
}
