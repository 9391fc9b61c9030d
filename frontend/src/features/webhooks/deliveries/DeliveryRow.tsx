import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '@/shared/format'
import { RelativeTime, useNow } from '@/shared/time'
import { RowLink, Table } from '@/shared/ui'
import { nameOf } from '../queries'
import { DeliveryDetails } from './DeliveryDetails'
import type { Delivery } from './queries'
import { ResendButton } from './ResendButton'

type Props = { delivery: Delivery; on: boolean; open: boolean }

/** A delivery, which opens what is posted. One that has ended can be sent again while the webhook is on. */
export function DeliveryRow({ delivery, on, open }: Props) {
  const { id, event, sentAt, tookMs, nextTryAt } = delivery
  return (
    <>
      <Table.Tr className="panel-row">
        <Table.Td data-at="title">
          <RowLink
            to="."
            search={(old) => ({ ...old, delivery: open ? undefined : id })}
            resetScroll={false}
            aria-expanded={open}
            aria-controls={open ? `delivery-${id}` : undefined}
            fw={open ? 500 : 400}
            fz="sm"
          >
            {nameOf(event)}
          </RowLink>
        </Table.Td>
        <Table.Td data-at="end">{sentAt && <RelativeTime time={sentAt} />}</Table.Td>
        <Table.Td data-at="sub">
          <State delivery={delivery} />
        </Table.Td>
        <Table.Td data-at="sub-end" ta="right" className="panel-numbers">
          {tookMs != null && formatDuration(tookMs)}
        </Table.Td>
        <Table.Td data-at="more">{on && nextTryAt && <NextAttempt at={nextTryAt} />}</Table.Td>
        <Table.Td data-at="more-end" ta="right">
          {on && !nextTryAt && <ResendButton delivery={delivery} />}
        </Table.Td>
      </Table.Tr>
      {open && (
        <Table.Tr className="panel-opened">
          <Table.Td colSpan={6} id={`delivery-${id}`}>
            <DeliveryDetails id={id} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}

/** The delivery's state, with its last response or error. */
function State({ delivery: { sentAt, nextTryAt, status, error } }: { delivery: Delivery }) {
  const { t } = useTranslation('webhooks')
  const state = sentAt ? 'delivered' : nextTryAt ? 'waiting' : 'failed'
  const response = error === 'STATUS' || sentAt ? status : error && t(`error.${error}`)
  return (
    <Text span inherit c={state === 'failed' ? 'var(--bad)' : undefined} className="panel-numbers">
      {[t(state), response].filter(Boolean).join(' · ')}
    </Text>
  )
}

/** A delivery whose time has come is sent as soon as there is room. */
function NextAttempt({ at }: { at: string }) {
  const { t } = useTranslation('webhooks')
  const due = Math.max(Date.parse(at), useNow())
  return (
    <>
      <span className="panel-phone">{t('column.next')} </span>
      <RelativeTime time={new Date(due).toISOString()} mayLieAhead />
    </>
  )
}
