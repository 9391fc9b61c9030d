import * as z from 'zod/mini'
import { i18n } from '@/shared/i18n'
import { toLocal } from '@/shared/time'
import { atMost, required } from '@/shared/ui'
import type { Export } from '../page/queries'

const maxName = 100
export const maxRate = 1_000_000
export const maxMessages = 1_000_000

/** An export in its form. An empty text means no limit. */
export type ExportValues = {
  name: string
  rateLimitPerMinute: number
  /** A version's number, or empty to follow the published version. */
  version: string
  /** A local date and time, or empty for never. */
  expiresAt: string
  dailyCreditLimit: number | string
  monthlyCreditLimit: number | string
  userDailyMessageLimit: number | string
  requireUserId: boolean
}

const wholeOrEmpty = (most: number, message: 'limitRange' | 'userLimitRange') =>
  z
    .union([z.number(), z.string()])
    .check(
      z.refine<number | string>(
        (value) => value === '' || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most),
        { error: () => i18n.t(message, { ns: 'exports' }) },
      ),
    )

export const exportSchema = z.object({
  name: z.string().check(z.trim(), required(), atMost(maxName)),
  rateLimitPerMinute: z
    .number({ error: () => i18n.t('exports:rateRange') })
    .check(z.int(), z.minimum(1), z.maximum(maxRate, { error: () => i18n.t('exports:rateRange') })),
  version: z.string(),
  expiresAt: z.string(),
  dailyCreditLimit: wholeOrEmpty(Number.MAX_SAFE_INTEGER, 'limitRange'),
  monthlyCreditLimit: wholeOrEmpty(Number.MAX_SAFE_INTEGER, 'limitRange'),
  userDailyMessageLimit: wholeOrEmpty(maxMessages, 'userLimitRange'),
  requireUserId: z.boolean(),
})

export const valuesOf = (row: Export): ExportValues => ({
  name: row.name,
  rateLimitPerMinute: row.rateLimitPerMinute,
  version: row.version == null ? '' : String(row.version),
  expiresAt: toLocal(row.expiresAt),
  dailyCreditLimit: row.dailyCreditLimit ?? '',
  monthlyCreditLimit: row.monthlyCreditLimit ?? '',
  userDailyMessageLimit: row.userDailyMessageLimit ?? '',
  requireUserId: row.requireUserId,
})

/** Returns the changes to send. */
export function changesOf(values: ExportValues, before: ExportValues) {
  const { name, rateLimitPerMinute, version, expiresAt } = values
  return {
    name: name.trim(),
    rateLimitPerMinute,
    version: version ? Number(version) : null,
    ...changedLimits(values, before),
    // An unchanged time may be in the past.
    ...(expiresAt !== before.expiresAt && {
      expiresAt: expiresAt ? new Date(expiresAt).toISOString() : null,
    }),
  }
}

const limitOrNull = (value: number | string) => (typeof value === 'number' ? value : null)

/** Returns only the limits that were changed, because the end users' limit counts from the time it is set. */
function changedLimits(values: ExportValues, before: ExportValues) {
  const changed = (name: keyof ExportValues) => values[name] !== before[name]
  return {
    ...(changed('dailyCreditLimit') && { dailyCreditLimit: limitOrNull(values.dailyCreditLimit) }),
    ...(changed('monthlyCreditLimit') && { monthlyCreditLimit: limitOrNull(values.monthlyCreditLimit) }),
    ...(changed('userDailyMessageLimit') && { userDailyMessageLimit: limitOrNull(values.userDailyMessageLimit) }),
    ...(changed('requireUserId') && { requireUserId: values.requireUserId }),
  }
}
