import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { renderInPanel } from '@/shared/testing/render'
import { FilterChip } from './FilterChip'

function UserFilter() {
  const [user, setUser] = useState('')
  return (
    <FilterChip label="User ID" set={user !== ''} onChange={() => setUser('')}>
      <input aria-label="User ID" value={user} onChange={({ target }) => setUser(target.value)} />
    </FilterChip>
  )
}

const chip = () => screen.getByRole('button', { name: 'User ID' })

test('a filter with a value opens its field, and × clears it and gives the focus back', async () => {
  renderInPanel(<UserFilter />)
  await userEvent.click(chip())
  await userEvent.keyboard('ada')
  expect(screen.getByLabelText('User ID')).toHaveProperty('value', 'ada')
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter: User ID' }))
  await waitFor(() => expect(document.activeElement).toBe(chip()))
  await userEvent.click(chip())
  expect(screen.getByLabelText('User ID')).toHaveProperty('value', '')
})

test('a field that is left empty closes', async () => {
  renderInPanel(<UserFilter />)
  await userEvent.click(chip())
  await userEvent.tab()
  await userEvent.tab()
  expect(screen.queryByLabelText('User ID')).toBeNull()
  expect(chip()).toBeTruthy()
})
