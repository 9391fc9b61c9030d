// The MCP inspector, over HTTP and over standard input and output.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { apiKey, bridge, turn } from './support.mjs'

const inspector = 'node_modules/.bin/mcp-inspector'

for (const [name, target, options] of [
  ['HTTP', [bridge + '/mcp'], ['--transport', 'http', '--header', 'Authorization: Bearer ' + apiKey]],
  ['standard input and output', [process.env.AGENTCHAT, 'mcp'],
    ['-e', 'AGENTCHAT_URL=' + process.env.AGENTCHAT_URL, '-e', 'AGENTCHAT_API_KEY=' + apiKey]],
]) {
  test(name, async () => {
    const inspect = async (...args) => {
      const { stdout } = await promisify(execFile)(inspector, ['--cli', ...target, ...options, ...args]).catch((error) => error)
      return JSON.parse(stdout)
    }
    const ask = (message, conversation) =>
      inspect('--method', 'tools/call', '--tool-name', 'ask', '--tool-arg', 'message=' + message,
        ...(conversation ? ['conversation=' + conversation] : []))
    const { tools } = await inspect('--method', 'tools/list')
    assert.deepEqual(tools.map((tool) => tool.name), ['ask'])
    const first = (await ask('My name is Ada.')).structuredContent
    turn(first.reply, 1)
    const second = (await ask('What is my name?', first.conversation)).structuredContent
    turn(second.reply, 2)
    assert.match(second.reply, /Ada/)
    const invented = await ask('Hello', 'br_one')
    assert.equal(invented.isError, true)
    assert.equal(invented.content[0].text, 'conversation is not one that ask returned. Leave it out.')
  })
}
