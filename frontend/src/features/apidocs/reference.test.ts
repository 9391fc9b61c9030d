import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import strings from '@/locales/en/apidocs.json'
import {
  curlExample,
  failures,
  path,
  replyBody,
  replyFields,
  replyHeaders,
  requestFields,
  requestHeaders,
} from './reference'

const contract = readFileSync(join(process.cwd(), '../rest/openapi.yaml'), 'utf8')

/** The description of one response, schema or header group of the contract, by its name: the lines indented below it. */
function part(name: string): string {
  const lines = contract.split('\n')
  const start = lines.findIndex((line) => line.startsWith(`    ${name}:`))
  expect(start, name).toBeGreaterThan(0)
  const length = lines.slice(start + 1).findIndex((line) => /^ {0,4}\S/.test(line))
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join('\n')
}

const responses = [...contract.matchAll(/'(\d{3})': \{\$ref: '#\/components\/responses\/(\w+)'\}/g)].map(
  ([, status, name]) => ({ status: Number(status), text: part(name ?? '') }),
)

test('every status and code of the contract is there, and no other', () => {
  const stated = responses.flatMap(({ status, text }) =>
    [...text.matchAll(/code: \{x-extensible-enum: \[([\w, ]+)\]\}/g)].flatMap(([, codes]) =>
      (codes ?? '').split(', ').map((code) => `${status} ${code}`),
    ),
  )
  expect(stated.length).toBeGreaterThan(20)
  expect(failures.map(({ status, code }) => `${status} ${code}`).sort()).toEqual(stated.sort())
})

test('waiting for Retry-After is advised where the contract sends it, and only there', () => {
  for (const { status, code, retry } of failures) {
    const text = responses.find((response) => response.status === status)?.text ?? ''
    if (retry === 'wait') expect(text, code).toContain('Retry-After:')
    // 409 is several errors, of which two are worth a retry.
    else if (status !== 409) expect(text, code).not.toContain('Retry-After:')
  }
})

test('an example says what the contract says', () => {
  const told = contract.replaceAll("''", "'").replace(/\s+/g, ' ')
  for (const { code, message } of failures) {
    expect(told, code).toContain(`code: ${code}`)
    expect(told, code).toContain(`message: '${message}'`)
  }
  expect(told).toContain(`reply: ${replyBody.reply}`)
})

test('fields and headers are those of the contract', () => {
  const names = (schema: string) =>
    [...(part(schema).split('properties:')[1] ?? '').matchAll(/^ {8}(\w+):/gm)].map(([, name]) => name ?? '')
  expect(requestFields.map(({ name }) => name).sort()).toEqual(names('ChatRequest').sort())
  const reply = names('ChatReply').flatMap((name) =>
    name === 'usage' ? names('Usage').map((each) => `usage.${each}`) : [name],
  )
  expect(replyFields.map(({ name }) => name).sort()).toEqual(reply.sort())
  for (const name of replyHeaders) expect(contract).toContain(`${name}: {$ref: '#/components/headers/`)
  for (const { name } of requestHeaders) expect(contract).toContain(name)
})

test('every entry has its words, and no words are left over', () => {
  expect(Object.keys(strings.error).sort()).toEqual(failures.map(({ code }) => code).sort())
  expect(Object.keys(strings.replyHeader).sort()).toEqual([...replyHeaders].sort())
  expect(Object.keys(strings.replyField).sort()).toEqual(replyFields.map(({ name }) => name.replace('.', '_')).sort())
})

test('the first call names this server, and no key', () => {
  const command = curlExample('https://chat.example.com')
  expect(command).toContain(`https://chat.example.com${path}`)
  expect(command).toContain('$AGENTCHAT_API_KEY')
})
