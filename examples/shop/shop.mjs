// A shop that sells credits with Stripe Checkout. Node.js 20 or later, after npm install stripe@23.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import Stripe from 'stripe'

/** Your price list. Sessions last a day: keep an old price for a day after you change it. */
const CURRENCY = 'eur'
const PACKS = { small: { cents: 1000, credits: 1000 }, large: { cents: 4500, credits: 5000 } }

const PORT = process.env.PORT ?? 4242
const SHOP_URL = setting('SHOP_URL') // https://pay.example.com
const PANEL_URL = setting('PANEL_URL') // https://chat.example.com
const TOP_UP_SECRET = setting('TOP_UP_SECRET')
const ADMIN_URL = setting('ADMIN_URL') // http://127.0.0.1:9092
const ADMIN_TOKEN = setting('ADMIN_TOKEN')
const STRIPE_WEBHOOK_SECRET = setting('STRIPE_WEBHOOK_SECRET')
const api = new URL(process.env.STRIPE_API ?? 'https://api.stripe.com')
const stripe = new Stripe(setting('STRIPE_SECRET_KEY'), {
  host: api.hostname, port: api.port || 443, protocol: api.protocol.slice(0, -1),
})

/** Returns a setting. Anyone could sign with an empty secret, so every setting is required. */
function setting(name) {
  if (!process.env[name]) throw new Error(`Set ${name}.`)
  return process.env[name]
}

/** Reports what the operator must check. Replace it with your own mail or chat alert. */
function alertOperator(text) {
  console.error(`ATTENTION: ${text}`)
}

class Refused extends Error {}

/** Returns the account of a token. Throws if the service did not sign it or it has expired. */
function accountOf(token) {
  const [account, end] = token.split('.')
  const mac = createHmac('sha256', TOP_UP_SECRET).update(`${account}.${end}`).digest('base64url')
  const [got, want] = [Buffer.from(token), Buffer.from(`${account}.${end}.${mac}`)]
  if (got.length !== want.length || !timingSafeEqual(got, want) || !(Number(end) > Date.now() / 1000)) {
    throw new Refused('This link has expired. Go back and choose "Add credits" again.')
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

/** Creates a checkout session and returns its address. The buyer chooses the pack; the account comes from the token. */
async function buy(form) {
  const account = accountOf(form.get('token') ?? '')
  const name = form.get('pack')
  if (!Object.hasOwn(PACKS, name)) throw new Refused('This pack does not exist.')
  const { cents, credits } = PACKS[name]
  const metadata = { account, pack: name }
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{
      quantity: 1,
      price_data: { currency: CURRENCY, unit_amount: cents, product_data: { name: `${credits} credits` } },
    }],
    metadata,
    payment_intent_data: { metadata }, // so that charges carry it, too
    success_url: `${PANEL_URL}/usage/credits`,
    cancel_url: `${PANEL_URL}/usage/credits`,
  })
  return session.url
}

/** Calls /admin/v1. Throws on every status but success and final refusals: Stripe then sends the event again. */
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

/** Returns the credit history's entry for a payment or a refund, or undefined. */
async function entryOf(reference) {
  return (await admin('GET', `/credits?reference=${encodeURIComponent(reference)}`)).entries[0]
}

/** Grants a payment's credits once: both events of a session, and their repetitions, carry the same payment. */
async function grant(session) {
  const { account, pack: name } = session.metadata ?? {}
  if (!account) return // sold elsewhere
  if (session.mode !== 'payment' || session.payment_status !== 'paid') return // Stripe sends another event when it is
  const pack = Object.hasOwn(PACKS, name) ? PACKS[name] : {}
  if (session.amount_total !== pack.cents || session.currency !== CURRENCY) {
    return alertOperator(`Session ${session.id} does not match the price list: nothing was granted.`)
  }
  const payment = session.payment_intent
  const { status, error } = await admin('POST', `/accounts/${account}/credits`, {
    amount: pack.credits, note: `Payment ${payment}`, reference: payment, unique: 'service',
  })
  if (status === 409) alertOperator(`Payment ${payment} was not granted: ${error.message}`)
  if (status === 404) {
    await stripe.refunds.create({ payment_intent: payment }, { idempotencyKey: `gone-${payment}` })
    alertOperator(`Payment ${payment} was refunded: the account was deleted.`)
  }
}

/** Takes back refunded credits. A charge has only the total, so each of its refunds is read and taken back on its own. */
async function refund(charge) {
  const { account } = charge.metadata
  if (!account) return
  const paid = await entryOf(charge.payment_intent)
  if ((await admin('GET', `/accounts/${account}`)).status === 404) return // the account was deleted
  if (!paid) throw new Error(`${charge.id} is refunded before its payment was granted`) // Stripe sends it again
  for await (const { id, amount, status, metadata } of stripe.refunds.list({ charge: charge.id, limit: 100 })) {
    if (status === 'succeeded' && !metadata.spent) await take(paid, id, Math.floor((paid.amount * amount) / charge.amount))
  }
}

/** Takes back the credits of one refund, once, as far as they are available. */
async function take(paid, refund, credits) {
  if (credits === 0 || (await entryOf(refund))) return
  const { credit_balance: balance, credits_held: held } = await admin('GET', `/accounts/${paid.account_id}`)
  const taken = Math.min(credits, balance - held)
  if (taken > 0) {
    const { status } = await admin('POST', `/accounts/${paid.account_id}/credits`, {
      kind: 'ADJUSTMENT', amount: -taken, note: `Refund of ${paid.reference}`, reference: refund, unique: 'service',
    })
    if (status !== 200) throw new Error(`Refund ${refund}: ${status}`) // some were spent meanwhile, or another event was faster
  }
  if (taken < credits) alertOperator(`Refund ${refund}: ${credits - taken} of ${credits} credits were already spent.`)
  // Without an entry, the charge's next event would take credits that were bought later.
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
  response.setHeader('Referrer-Policy', 'no-referrer') // the address contains a token
  answer(request, response).catch((error) => {
    if (!(error instanceof Refused)) console.error(error)
    response.setHeader('Content-Type', 'text/plain; charset=utf-8')
    response.writeHead(error instanceof Refused ? 400 : 500)
    response.end(error instanceof Refused ? error.message : 'Something went wrong. Try again.')
  })
})
server.listen(PORT, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
