import { Button, type ButtonProps } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { part } from '@/shared/ui'
import type { RunTarget } from './RunDialog'

const RunDialog = part(() => import('./RunDialog'))
const route = getRouteApi('/_app/agents/$id/tests')

type Props = Omit<RunTarget, 'agentId'> & ButtonProps

/** Opens the dialog that starts a run, and shows the run. */
export function RunButton({ published, cases, ...button }: Props) {
  const { t } = useTranslation('tests')
  const { id } = route.useParams()
  const navigate = route.useNavigate()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => setOpen(true)} {...button}>
        {t('runTests')}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <RunDialog
            target={{ agentId: id, published, cases }}
            onStarted={(run, against) => void navigate({ search: { run, against } })}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
