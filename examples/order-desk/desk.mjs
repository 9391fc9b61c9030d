// Node.js 20 or later, nothing to install.
const url = 'http://127.0.0.1:8080/v1/agent/chat'
const orders = { 'A-1': { state: 'shipped', arrives: 'Monday' } }

const actions = {
  order_status: ({ order }) => {
    if (!Object.hasOwn(orders, order)) throw new Error(`There is no order ${order}.`)
    return orders[order]
  },
}

async function run({ id, name, arguments: given }) {
  try {
    return { id, result: (await actions[name](given)) ?? null }
  } catch (error) {
    return { id, error: String(error?.message || error).slice(0, 2000) } // the model gets the error and can explain it
  }
}

async function ask(sessionId, message) {
  let reply = await send({ session_id: sessionId, message })
  while (reply?.finish_reason === 'actions') {
    const results = await Promise.all(reply.actions.map(run))
    reply = await send({ session_id: sessionId, action_results: results })
  }
  return reply && (reply.output ?? reply.reply)
}

// Sends a request until it is answered. All attempts have the same key, so it is answered and paid for once.
async function send(body) {
  const headers = {
    Authorization: 'Bearer ' + process.env.AGENTCHAT_API_KEY,
    'Content-Type': 'application/json',
    'Idempotency-Key': crypto.randomUUID(),
  }
  const giveUp = Date.now() + 200_000 // 200 s
  let problem
  for (let backoff = 1; Date.now() < giveUp; backoff = Math.min(2 * backoff, 8)) {
    let wait = backoff
    try {
      const signal = AbortSignal.timeout(100_000) // 100 s
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal })
      if (response.ok) return await response.json()
      problem = `${response.status}: ${await response.text()}`
      if (problem.includes('"action_mismatch"')) return null // the customer has written again, and gets the reply to the newer message
      if (response.status < 500 && !response.headers.has('Retry-After')) break
      wait = Number(response.headers.get('Retry-After') ?? wait)
    } catch (error) {
      problem = error.message
    }
    await new Promise((resolve) => setTimeout(resolve, wait * 1000))
  }
  throw new Error(problem)
}

for (const order of ['A-1', 'A-2']) {
  console.log(await ask('customer-42', `Where is order ${order}? [[sandbox action=order_status {"order":"${order}"}]]`))
}
