/** Saves a file through the browser. */
export function saveFile(blob: Blob, name: string) {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser needs time to start reading it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
