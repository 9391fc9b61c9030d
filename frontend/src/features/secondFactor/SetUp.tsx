import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { codeSchema, wrongCodeAt } from '@/features/auth'
import { gql } from '@/shared/gql'
import { CopyButton, FormError, useApiForm } from '@/shared/ui'
import { ConfirmSecondFactorDocument, type NewFactor, StartSecondFactorDocument } from './queries'
import classes from './SecondFactor.module.css'

/** Sets a second factor up: its secret goes into an app, whose code then switches it on. Hands on the recovery codes. */
export function SetUp({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const { t } = useTranslation('secondFactor')
  const [factor, setFactor] = useState<NewFactor>()
  const start = useMutation({
    // Returns nothing, so that the secret does not get into the mutation cache.
    mutationFn: async () => setFactor((await gql(StartSecondFactorDocument)).startSecondFactor),
  })
  if (factor) return <Steps factor={factor} onCodes={onCodes} onCancel={() => setFactor(undefined)} />
  return (
    <Stack gap="sm">
      <FormError error={start.error} onClose={start.reset} />
      <Group>
        <Button onClick={() => start.mutate()} loading={start.isPending}>
          {t('setUp')}
        </Button>
      </Group>
    </Stack>
  )
}

type StepsProps = { factor: NewFactor; onCodes: (codes: string[]) => void; onCancel: () => void }

function Steps({ factor, onCodes, onCancel }: StepsProps) {
  const { t } = useTranslation(['secondFactor', 'common'])
  const secret = useRef<HTMLElement>(null)
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: { code: '' },
    schema: codeSchema,
    submit: async ({ code }) => {
      const input = { code: code.trim() }
      const done = await gql(ConfirmSecondFactorDocument, { input }).catch(wrongCodeAt('code', 'INVALID_CREDENTIALS'))
      onCodes(done.confirmSecondFactor.recoveryCodes)
    },
  })
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <div className={classes.scan}>
          <img src={factor.qrCode} alt={t('qrCode')} className={classes.qr} />
          <Stack gap="xs" style={{ minWidth: 0, flex: '1 1 220px' }}>
            <Text>{t('scan')}</Text>
            <code translate="no" ref={secret} className="panel-value" data-testid="secret">
              {factor.secret.match(/.{1,4}/g)?.join(' ')}
            </code>
            <Group gap="sm">
              <CopyButton value={factor.secret} label={t('copySecret')} shown={secret} size="xs" />
              <Anchor href={factor.uri} underline="always">
                {t('openApp')}
              </Anchor>
            </Group>
          </Stack>
        </div>
        <TextInput
          maw={380}
          label={t('code')}
          description={t('codeText')}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          key={form.key('code')}
          {...form.getInputProps('code')}
        />
        <FormError error={error} onClose={clearError} />
        <Group gap="xs">
          <Button type="submit" loading={pending}>
            {t('switchOn')}
          </Button>
          <Button variant="default" onClick={onCancel} disabled={pending}>
            {t('common:cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
