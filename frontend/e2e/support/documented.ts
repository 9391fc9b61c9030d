import { readFileSync } from 'node:fs'
import { addresses } from './target'

const service = 'http://127.0.0.1:8080'

/** The blocks of code of a guide in docs/, by what stands after their marks, such as "js relay.mjs", for the service under test. */
export function documented(guide: string): Map<string, string> {
  const text = readFileSync(new URL(`../../../docs/${guide}`, import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/^```(\S.*)\n([\s\S]*?)^```$/gm)]
  return new Map(blocks.map(([, kind = '', code = '']) => [kind, code.replaceAll(service, addresses().panel)]))
}
