export { AuthPage, OperatorText } from './AuthPage'
export { signIn, signOut } from './actions'
export { CodeField } from './CodeField'
export { ForgotPage } from './ForgotPage'
export { LoginPage } from './LoginPage'
export { May, MayChange } from './May'
export { redirectToNext, safeNext } from './next'
export { PasswordField } from './PasswordField'
export { Reauthentication } from './Reauthentication'
export { ResetPage } from './ResetPage'
export { SignUpPage } from './SignUpPage'
export { accountName, code, codeSchema, newPassword, passwordRules } from './schemas'
export { UndoAddressPage } from './UndoAddressPage'
export { useLink } from './useLink'
export { useSessionEvents } from './useSessionEvents'
export { VerifyPage } from './VerifyPage'
export {
  refreshViewer,
  roles,
  secondFactorQuery,
  serviceInfoQuery,
  useMay,
  useSecondFactor,
  useServiceInfo,
  useSeveralAccounts,
  useViewer,
  viewerQuery,
} from './viewer'
export { proofOf, wrongCodeAt, wrongProofAt } from './wrongProof'
