import { Alert, Box, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

type Props<Field extends string> = {
  edit: { theirs?: Partial<Record<Field, string | number>>; keepMine: () => void; takeTheirs: () => void }
  labels: Record<Field, string>
}

/** Shows a concurrent change to the same agent, and asks which version to keep. */
export function ChangedElsewhere<Field extends string>({ edit, labels }: Props<Field>) {
  const { t } = useTranslation('agents')
  if (!edit.theirs) return null
  return (
    <Alert color="yellow" role="alert" icon={<IconAlertTriangle aria-hidden />} title={t('changedElsewhere')}>
      <Stack gap="sm">
        <Text size="md">{t('changedElsewhereText')}</Text>
        {(Object.entries(edit.theirs) as [Field, string | number][]).map(([field, value]) => (
          <div key={field}>
            <Text size="sm" fw={500}>
              {labels[field]}
            </Text>
            <Box
              component="section"
              aria-label={t('theirVersion', { field: labels[field] })}
              tabIndex={0}
              mah={160}
              style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }}
              className="panel-user-text"
            >
              {value === '' ? t('emptyValue') : value}
            </Box>
          </div>
        ))}
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={edit.keepMine}>
            {t('keepMine')}
          </Button>
          <Button variant="default" size="xs" onClick={edit.takeTheirs}>
            {t('takeTheirs')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
