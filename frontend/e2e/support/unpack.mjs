// Unpacks the Chromium of @sparticuz/chromium into the TMPDIR it is started with, with the libraries that a bare machine lacks.
process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs22.x' // this makes the package unpack them
const { default: chromium } = await import('@sparticuz/chromium')
await chromium.executablePath()
