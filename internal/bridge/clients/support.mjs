// What the tests share: the bridge, the key of an export, and an agent with the action get_weather
// whose sandbox model obeys directives.
import assert from 'node:assert/strict'

export const bridge = process.env.BRIDGE_URL
export const apiKey = process.env.AGENTCHAT_API_KEY

export const askWeather = 'Look. [[sandbox action=get_weather {"location":"Rome"}]]'

export const weather = {
  name: 'get_weather',
  description: 'The weather of a place.',
  parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'], additionalProperties: false },
}

// turn expects the reply of the n-th turn of a conversation.
export function turn(text, n) {
  assert.match(text, new RegExp(`turn ${n} of our conversation`))
}
