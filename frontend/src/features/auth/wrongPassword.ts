import { ApiError, hasCode } from '@/shared/gql'
import { i18n } from '@/shared/i18n'

/** For requests with the account's password: turns a wrong password into a field error for useApiForm. */
export function wrongPasswordAt(path: string, message = i18n.t('wrongPassword', { ns: 'auth' })) {
  return (thrown: unknown): never => {
    if (!hasCode(thrown, 'INVALID_CREDENTIALS')) throw thrown
    const fields = [{ path, reason: 'wrong', message }]
    throw new ApiError('BAD_USER_INPUT', message, { requestId: thrown.requestId, fields, cause: thrown })
  }
}
