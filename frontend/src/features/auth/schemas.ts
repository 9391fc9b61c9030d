import * as z from 'zod/mini'
import { i18n } from '@/shared/i18n'

const required = () => i18n.t('form.required')

export const passwordRules = { min: 8, max: 256 }

export const newPassword = z
  .string()
  .check(
    z.minLength(1, { error: required, abort: true }),
    z.minLength(passwordRules.min, { error: () => i18n.t('auth:passwordTooShort', passwordRules), abort: true }),
    z.maxLength(passwordRules.max, { error: () => i18n.t('auth:passwordTooLong', passwordRules) }),
  )

const maxName = 100

/** An account's name. The service counts characters, not UTF-16 units. */
export const accountName = z.string().check(
  z.trim(),
  z.minLength(1, { error: required, abort: true }),
  z.refine<string>((name) => name.length <= maxName || [...name].length <= maxName, {
    error: () => i18n.t('form.tooLong', { count: maxName }),
  }),
)

export const signInSchema = z.object({
  email: z.string().check(z.trim(), z.minLength(1, { error: required })),
  password: z.string().check(z.minLength(1, { error: required })),
})

export const signUpSchema = z.object({
  name: accountName,
  email: z.string().check(z.trim(), z.minLength(1, { error: required })),
  password: newPassword,
})
