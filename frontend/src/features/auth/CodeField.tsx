import { Stack, TextInput, type TextInputProps, UnstyledButton } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** The field of a second factor's code, with a switch for a recovery code: phones show digits for the one and letters for the other. */
export function CodeField(props: Omit<TextInputProps, 'label' | 'description' | 'inputMode' | 'autoComplete'>) {
  const { t } = useTranslation('auth')
  const [recovery, setRecovery] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const turn = () => {
    setRecovery(!recovery)
    root.current?.querySelector('input')?.focus()
  }
  return (
    <Stack gap={4} align="flex-start" ref={root}>
      <TextInput
        w="100%"
        label={t(recovery ? 'code.recovery' : 'code.code')}
        description={t(recovery ? 'code.recoveryText' : 'code.codeText')}
        inputMode={recovery ? 'text' : 'numeric'}
        autoComplete={recovery ? 'off' : 'one-time-code'}
        autoCapitalize="off"
        spellCheck={false}
        {...props}
      />
      <UnstyledButton type="button" onClick={turn} c="var(--accent-text)" fz="md" td="underline">
        {t(recovery ? 'code.useApp' : 'code.useRecovery')}
      </UnstyledButton>
    </Stack>
  )
}
