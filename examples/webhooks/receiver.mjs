// Node.js 20 or later, after npm install standardwebhooks. The secret comes from $WEBHOOK_SECRET.
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET) // a secret without whsec_ needs a second argument, { format: 'raw' }

createServer(async (request, response) => {
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += part
  let event
  try {
    event = webhook.verify(body, request.headers)
  } catch {
    return response.writeHead(401).end()
  }
  // Store request.headers['webhook-id'] and skip an event whose id you already have.
  console.log(event.type, event.data.account_id)
  response.writeHead(204).end()
}).listen(process.env.PORT ?? 3000, '127.0.0.1', function () {
  console.log(`http://127.0.0.1:${this.address().port}`)
})
