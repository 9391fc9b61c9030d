// Compresses every built text file to .gz and .br if that makes it smaller. The server sends these files unchanged.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const worthIt = 256
const textual = /\.(js|css|html|svg|json|txt|webmanifest|yaml)$/

export function compress(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !textual.test(entry.name) || entry.name === 'placeholder.html') continue
    const content = readFileSync(path)
    if (content.length < worthIt) continue
    const brotli = brotliCompressSync(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    })
    const gzip = gzipSync(content, { level: 9 })
    if (brotli.length < content.length) writeFileSync(`${path}.br`, brotli)
    if (gzip.length < content.length) writeFileSync(`${path}.gz`, gzip)
  }
}
