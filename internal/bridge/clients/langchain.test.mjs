// LangChain: one session by X-Session-Id, a stream with usage, and a tool that it runs.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { HumanMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { apiKey, askWeather, bridge, turn, weather } from './support.mjs'

const chat = () =>
  new ChatOpenAI({ model: 'agent', apiKey, configuration: { baseURL: bridge + '/v1', defaultHeaders: { 'X-Session-Id': randomUUID() } } })

test('LangChain: three turns and a stream', async () => {
  const model = chat()
  const messages = []
  const say = async (text) => {
    messages.push(new HumanMessage(text))
    messages.push(await model.invoke(messages))
    return messages.at(-1).text
  }
  turn(await say('My name is Ada.'), 1)
  turn(await say('Hello'), 2)
  assert.match(await say('What is my name?'), /Ada/)
  messages.push(new HumanMessage('And in a stream?'))
  let whole
  for await (const chunk of await model.stream(messages)) whole = whole ? whole.concat(chunk) : chunk
  turn(whole.text, 4)
  assert.ok(whole.usage_metadata.total_tokens > 0)
})

test('LangChain: a loop of actions', async () => {
  const { name, description, parameters: schema } = weather
  const getWeather = tool(({ location }) => `21 degrees in ${location}`, { name, description, schema })
  const model = chat().bindTools([getWeather])
  const messages = [new HumanMessage(askWeather)]
  const asked = await model.invoke(messages)
  messages.push(asked)
  for (const call of asked.tool_calls) messages.push(await getWeather.invoke(call))
  assert.match((await model.invoke(messages)).text, /21 degrees in Rome/)
})
