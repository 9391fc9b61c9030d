import { Kbd, Stack, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog, Table, useLetters } from '@/shared/ui'
import { pages } from './pages'

/** All keys, and the switch for those that are single letters. Loaded on first use. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['keys', 'shell'])
  const [letters, setLetters] = useLetters()
  const rows: [string[], string][] = [
    [['Ctrl', 'K'], t('keys:search')],
    ...pages.map(({ key, label }): [string[], string] => [['G', key], t('keys:go', { place: t(`shell:${label}`) })]),
    [['/'], t('keys:filter')],
    [['J', 'K'], t('keys:step')],
    [['X'], t('keys:mark')],
    [['Shift', 'X'], t('keys:markRange')],
    [['Enter'], t('keys:open')],
    [['Esc'], t('keys:close')],
    [['?'], t('keys:all')],
  ]
  return (
    <Dialog onClose={onClose} title={t('keys:title')} closeOnClickOutside>
      <Stack gap="md">
        <Switch
          label={t('keys:letters')}
          description={t('keys:lettersHelp')}
          checked={letters}
          onChange={({ currentTarget }) => setLetters(currentTarget.checked)}
        />
        <Table aria-label={t('keys:title')}>
          <Table.Tbody>
            {rows.map(([keys, what]) => (
              <Table.Tr key={what}>
                <Table.Td w={120}>
                  {keys.map((key) => (
                    <Kbd key={key} mr={4}>
                      {key}
                    </Kbd>
                  ))}
                </Table.Td>
                <Table.Td>{what}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Stack>
    </Dialog>
  )
}
