import { toApiError } from '@/shared/gql'
import { i18n } from '@/shared/i18n'

const anHour = 3_600 // longer limits have a message of their own

/** The text of an error: the server's message, or the panel's own if no answer came. */
export function errorText(thrown: unknown): string {
  const error = toApiError(thrown)
  switch (error.code) {
    case 'NETWORK':
      return i18n.t('error.network')
    case 'TIMEOUT':
      return i18n.t('error.timeout')
    case 'BAD_ANSWER':
      return i18n.t('error.badAnswer')
    case 'NONE':
      return i18n.t('error.none')
    case 'RATE_LIMITED':
      return error.retryAfterSeconds && error.retryAfterSeconds < anHour
        ? i18n.t('error.rateLimited', { count: Math.ceil(error.retryAfterSeconds) })
        : error.message || i18n.t('error.unavailable')
    default:
      return error.message || i18n.t('error.unavailable')
  }
}
