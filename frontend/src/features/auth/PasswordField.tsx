import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

type Props = Omit<PasswordInputProps, 'autoComplete'> & {
  /** Whether it is to be chosen; its rule is then said. */
  isNew?: boolean
}

/** The field of a password, with a button that shows what was typed. */
export function PasswordField({ isNew, ...rest }: Props) {
  const { t } = useTranslation('auth')
  return (
    <PasswordInput
      description={isNew ? t('passwordRule') : undefined}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
      {...rest}
    />
  )
}
