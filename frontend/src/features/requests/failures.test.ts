import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import texts from '@/locales/en/requests.json'
import { statuses } from './failures'

type Contract = {
  paths: Record<string, { post: { responses: Record<string, { $ref: string }> } }>
  components: { responses: Record<string, { content: { 'application/json': { 'x-codes'?: string[] } } }> }
}

test('every code of the API has its status, and one text that says what to do', () => {
  const { paths, components }: Contract = parse(readFileSync(join(process.cwd(), '../rest/openapi.yaml'), 'utf8'))
  const answers = Object.values(paths).flatMap(({ post }) => Object.entries(post.responses))
  const table = answers.flatMap(([status, { $ref }]) => {
    const codes = components.responses[$ref.split('/').at(-1) ?? '']?.content['application/json']['x-codes'] ?? []
    return codes.map((code) => [code, Number(status)] as const)
  })
  expect(table.length).toBeGreaterThan(20)
  expect(Object.fromEntries(table)).toEqual(statuses)
  expect(Object.keys(texts.fix).sort()).toEqual([...Object.keys(statuses), 'other'].sort())
})
