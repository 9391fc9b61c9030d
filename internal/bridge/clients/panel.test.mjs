// The panel's programs for these SDKs: two turns of an end user, with a variable.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { bridge, turn } from './support.mjs'

const programs = '../../../frontend/src/features/developers/calling/programs/clients/'
const values = { BRIDGE: bridge, USER: 'user-1', VARIABLES: '{"instructions": "Help with order 7."}' }

for (const [name, file, command, variables] of [
  ['openai-node', 'chat.mjs', ['node'], true],
  ['openai-go', 'main.go', ['go', 'run'], true],
  ['ai-sdk', 'chat.mjs', ['node'], false],
]) {
  test(name, async () => {
    const template = await readFile(programs + name + '.txt', 'utf8')
    const program = template.replace(/^{{[#/]\w+}}\n/gm, '').replace(/{{(\w+)}}/g, (_, part) => values[part])
    const folder = await mkdtemp('./panel-') // here, where the SDKs are found
    try {
      await writeFile(`${folder}/${file}`, program)
      const [run, ...options] = command
      const { stdout } = await promisify(execFile)(run, [...options, `${folder}/${file}`])
      const [first, second] = stdout.split('\n')
      turn(first, 1)
      turn(second, 2)
      assert.equal(second.includes('Help with order 7.'), variables)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
}
