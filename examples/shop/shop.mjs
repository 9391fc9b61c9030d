// Node 20 or later.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import Stripe from 'stripe'

/** Your price list. Keep an old price for a day after you change it: sessions live that long. */
const CURRENCY = 'eur'
const PACKS = { small: { cents: 1000, credits: 1000 }, large: { cents: 4500, credits: 5000 } }

const PORT = process.env.PORT ?? 4242
const SHOP_URL = setting('SHOP_URL') // https://pay.example.com
const PANEL_URL = setting('PANEL_URL') // https://chat.example.com
const TOP_UP_SECRET = setting('TOP_UP_SECRET')
const ADMIN_URL = setting('ADMIN_URL') // http://127.0.0.1:9091
const ADMIN_TOKEN = setting('ADMIN_TOKEN')
const STRIPE_WEBHOOK_SECRET = setting('STRIPE_WEBHOOK_SECRET')
const api = new URL(process.env.STRIPE_API ?? 'https://api.stripe.com')
const stripe = new Stripe(setting('STRIPE_SECRET_KEY'), {
  host: api.hostname, port: api.port || 443, protocol: api.protocol.slice(0, -1),
})

/** An empty secret would let anybody sign. */
function setting(name) {
  if (!process.env[name]) throw new Error(`Set ${name}.`)
  return process.env[name]
}

/** What an operator should look at. Send it where somebody reads it. */
function tell(text) {
  console.error(`LOOK AT THIS: ${text}`)
}

class Refused extends Error {}

/** The account of a token that the service signed and that has not ended. */
function accountOf(token) {
  const [account, end] = token.split('.')
  const mac = createHmac('sha256', TOP_UP_SECRET).update(`${account}.${end}`).digest('base64url')
  const [got, want] = [Buffer.from(token), Buffer.from(`${account}.${end}.${mac}`)]
  if (got.length !== want.length || !timingSafeEqual(got, want) || !(Number(end) > Date.now() / 1000)) {
    throw new Refused('This link has ended. Go back and choose "Add credits" again.')
  }
  return account
}

function page(token) {
  accountOf(token)
  const buttons = Object.entries(PACKS).map(([name, { cents, credits }]) =>
    `<p><button name="pack" value="${name}">${credits} credits for ${(cents / 100).toFixed(2)} ${CURRENCY}</button>`)
  return `<!doctype html><title>Add credits</title><form method="post" action="/buy">
    <input type="hidden" name="token" value="${token}">${buttons.join('')}</form>`
}

/** Begins a payment and returns where it is made. The buyer says which pack; the account is the token's. */
async function buy(form) {
  const account = accountOf(form.get('token') ?? '')
  const name = form.get('pack')
  if (!Object.hasOwn(PACKS, name)) throw new Refused('There is no such pack.')
  const { cents, credits } = PACKS[name]
  const metadata = { account, pack: name }
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{
      quantity: 1,
      price_data: { currency: CURRENCY, unit_amount: cents, product_data: { name: `${credits} credits` } },
    }],
    metadata,
    payment_intent_data: { metadata }, // so that refunds have it, too
    success_url: `${PANEL_URL}/usage/credits`,
    cancel_url: `${PANEL_URL}/usage/credits`,
  })
  return session.url
}

/** Calls /admin/v1. Whatever is neither done nor refused for good is thrown, and Stripe sends the event again. */
async function admin(method, path, body) {
  const answer = await fetch(`${ADMIN_URL}/admin/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  })
  if (![200, 404, 409].includes(answer.status)) throw new Error(`${method} ${path}: ${answer.status}`)
  return { status: answer.status, ...(await answer.json()) }
}

/** The entry of the credit history that a payment or a refund has left; undefined for none. */
async function entryOf(reference) {
  return (await admin('GET', `/credits?reference=${encodeURIComponent(reference)}`)).entries[0]
}

/** Grants what was paid for, once: both events of a session, and every repetition, have the same payment. */
async function grant(session) {
  const { account, pack: name } = session.metadata ?? {}
  if (!account) return // sold elsewhere
  if (session.mode !== 'payment' || session.payment_status !== 'paid') return // another event comes when it is
  const pack = Object.hasOwn(PACKS, name) ? PACKS[name] : {}
  if (session.amount_total !== pack.cents || session.currency !== CURRENCY) {
    return tell(`Session ${session.id} is not of the price list: nothing was granted.`)
  }
  const payment = session.payment_intent
  const { status, error } = await admin('POST', `/accounts/${account}/credits`, {
    amount: pack.credits, note: `Payment ${payment}`, reference: payment, unique: 'service',
  })
  if (status === 409) tell(`Payment ${payment} was not granted: ${error.message}`)
  if (status === 404) {
    await stripe.refunds.create({ payment_intent: payment }, { idempotencyKey: `gone-${payment}` })
    tell(`Payment ${payment} was refunded: the account is gone.`)
  }
}

/** Takes back what was refunded. A charge says only how much that is in all, so each refund is looked up and taken by itself. */
async function refund(charge) {
  const { account } = charge.metadata
  if (!account) return
  const paid = await entryOf(charge.payment_intent)
  if ((await admin('GET', `/accounts/${account}`)).status === 404) return // nothing is left to take
  if (!paid) throw new Error(`${charge.id} is refunded before its payment was granted`) // it comes again
  for await (const { id, amount, status, metadata } of stripe.refunds.list({ charge: charge.id, limit: 100 })) {
    if (status === 'succeeded' && !metadata.spent) await take(paid, id, Math.floor((paid.amount * amount) / charge.amount))
  }
}

/** Takes credits for a refund, once: at most those that are there. */
async function take(paid, refund, credits) {
  if (credits === 0 || (await entryOf(refund))) return
  const { credit_balance: balance, credits_held: held } = await admin('GET', `/accounts/${paid.account_id}`)
  const taken = Math.min(credits, balance - held)
  if (taken > 0) {
    const { status } = await admin('POST', `/accounts/${paid.account_id}/credits`, {
      kind: 'ADJUSTMENT', amount: -taken, note: `Refund of ${paid.reference}`, reference: refund, unique: 'service',
    })
    if (status !== 200) throw new Error(`Refund ${refund}: ${status}`) // some were spent meanwhile, or another event was first
  }
  if (taken < credits) tell(`Refund ${refund}: ${credits - taken} of ${credits} credits were spent and not taken back.`)
  // Without an entry, the next event of the charge would take what was bought since.
  if (taken === 0) await stripe.refunds.update(refund, { metadata: { spent: 'yes' } })
}

const HANDLERS = {
  'checkout.session.completed': grant,
  'checkout.session.async_payment_succeeded': grant,
  'charge.refunded': refund,
}

async function event(body, signature) {
  let event
  try {
    event = stripe.webhooks.constructEvent(body, signature, STRIPE_WEBHOOK_SECRET)
  } catch {
    throw new Refused('The signature is wrong.')
  }
  await HANDLERS[event.type]?.(event.data.object)
}

async function bodyOf(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    if ((size += chunk.length) > 1 << 20) throw new Refused('The body is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, SHOP_URL)
  switch (`${request.method} ${pathname}`) {
    case 'GET /':
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      return response.end(page(searchParams.get('token') ?? ''))
    case 'POST /buy':
      return response.writeHead(303, { Location: await buy(new URLSearchParams(String(await bodyOf(request)))) }).end()
    case 'POST /stripe':
      await event(await bodyOf(request), request.headers['stripe-signature'])
      return response.end('ok')
  }
  response.writeHead(404).end()
}

const server = createServer((request, response) => {
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('Referrer-Policy', 'no-referrer') // the address has a token
  answer(request, response).catch((error) => {
    if (!(error instanceof Refused)) console.error(error)
    response.setHeader('Content-Type', 'text/plain; charset=utf-8')
    response.writeHead(error instanceof Refused ? 400 : 500)
    response.end(error instanceof Refused ? error.message : 'This did not work. Try again.')
  })
})
server.listen(PORT, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
