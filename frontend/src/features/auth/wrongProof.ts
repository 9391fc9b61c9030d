import { ApiError, hasCode } from '@/shared/gql'
import { i18n } from '@/shared/i18n'

/** For requests with the user's password alone: turns a wrong password into a field error for useApiForm. */
export function wrongPasswordAt(path: string, message = i18n.t('wrongPassword', { ns: 'auth' })) {
  return (thrown: unknown): never => {
    if (!hasCode(thrown, 'INVALID_CREDENTIALS')) throw thrown
    throw atField(thrown, path, message)
  }
}

/** The same for requests that take a code as well where a second factor is on: the service's words then say which of both is wrong. */
export const wrongProofAt = (path: string, withCode: boolean) => (thrown: unknown) =>
  withCode ? Promise.reject(thrown) : wrongPasswordAt(path)(thrown)

/** What such a request takes of a form's values: the code only where one is asked for. */
export function proofOf<V extends { code: string }>(values: V, withCode: boolean) {
  return { ...values, code: withCode ? values.code.trim() : undefined }
}

/** For requests with a code of the second factor: turns the refusal of the code into a field error. It has one of two codes. */
export function wrongCodeAt(path: string, refusal: 'INVALID_CREDENTIALS' | 'SECOND_FACTOR_REQUIRED') {
  return (thrown: unknown): never => {
    throw hasCode(thrown, refusal) ? atField(thrown, path, thrown.message) : thrown
  }
}

function atField(thrown: ApiError, path: string, message: string) {
  const fields = [{ path, reason: 'wrong', message }]
  return new ApiError('BAD_USER_INPUT', message, { requestId: thrown.requestId, fields, cause: thrown })
}
