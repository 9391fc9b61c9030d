// OpenAI's Agents SDK and the AI SDK: three turns without a setting, and a tool that they run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOpenAI } from '@ai-sdk/openai'
import { Agent, run, setDefaultOpenAIClient, setTracingDisabled, tool } from '@openai/agents'
import { generateText, stepCountIs, streamText, tool as aiTool } from 'ai'
import OpenAI from 'openai'
import { z } from 'zod'
import { apiKey, askWeather, bridge, turn, weather } from './support.mjs'

setTracingDisabled(true)
setDefaultOpenAIClient(new OpenAI({ baseURL: bridge + '/v1', apiKey }))

const parameters = z.object({ location: z.string() })

test('Agents SDK', async () => {
  const agent = new Agent({
    name: 'Assistant',
    model: 'agent',
    tools: [tool({ ...weather, parameters, execute: async ({ location }) => `21 degrees in ${location}` })],
  })
  let result = await run(agent, 'My name is Ada.')
  turn(result.finalOutput, 1)
  result = await run(agent, [...result.history, { role: 'user', content: askWeather }])
  assert.match(result.finalOutput, /21 degrees in Rome/)
  result = await run(agent, [...result.history, { role: 'user', content: 'What is my name?' }])
  turn(result.finalOutput, 4) // a call and its result are two
  assert.match(result.finalOutput, /Ada/)
})

test('AI SDK', async () => {
  const model = createOpenAI({ baseURL: bridge + '/v1', apiKey })('agent')
  const tools = {
    get_weather: aiTool({ description: weather.description, inputSchema: parameters, execute: async ({ location }) => `21 degrees in ${location}` }),
  }
  const messages = []
  const say = async (content) => {
    messages.push({ role: 'user', content })
    const result = await generateText({ model, tools, messages, stopWhen: stepCountIs(4) })
    messages.push(...result.response.messages)
    return result.text
  }
  turn(await say('My name is Ada.'), 1)
  assert.match(await say(askWeather), /21 degrees in Rome/)
  assert.match(await say('What is my name?'), /Ada/)
  messages.push({ role: 'user', content: 'And in a stream?' })
  let text = ''
  for await (const piece of streamText({ model, messages }).textStream) text += piece
  turn(text, 5)
})
