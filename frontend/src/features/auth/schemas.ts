import * as z from 'zod/mini'
import { i18n } from '@/shared/i18n'
import { atMost, required } from '@/shared/ui'

export const passwordRules = { min: 8, max: 256 }

export const newPassword = z
  .string()
  .check(
    required(),
    z.minLength(passwordRules.min, { error: () => i18n.t('auth:passwordTooShort', passwordRules), abort: true }),
    z.maxLength(passwordRules.max, { error: () => i18n.t('auth:passwordTooLong', passwordRules) }),
  )

const maxName = 100

/** An account's name. */
export const accountName = z.string().check(z.trim(), required(), atMost(maxName))

export const signInSchema = z.object({
  email: z.string().check(z.trim(), required()),
  password: z.string().check(required()),
})

/** A code of the second factor, or a recovery code. The service ignores spaces in it. */
export const code = z.string().check(z.trim(), required())

export const codeSchema = z.object({ code })

export const forgotSchema = z.object({ email: z.string().check(z.trim(), required()) })

export const resetSchema = z.object({ newPassword })

export const signUpSchema = z.object({
  name: accountName,
  email: z.string().check(z.trim(), required()),
  password: newPassword,
})
