import { readFileSync } from 'node:fs'
import { addresses } from './target'

const service = 'http://127.0.0.1:8080'

/** Returns the text of a file of examples/, with the address of the service under test. */
export function example(file: string): string {
  const text = readFileSync(new URL(`../../../examples/${file}`, import.meta.url), 'utf8')
  return text.replaceAll(service, addresses().panel)
}
