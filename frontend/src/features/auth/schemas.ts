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

export const signInSchema = z.object({
  email: z.string().check(z.trim(), z.minLength(1, { error: required })),
  password: z.string().check(z.minLength(1, { error: required })),
})

export const signUpSchema = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, { error: required }),
      z.maxLength(100, { error: () => i18n.t('form.tooLong', { count: 100 }) }),
    ),
  email: z.string().check(z.trim(), z.minLength(1, { error: required })),
  password: newPassword,
})
