import userEvent from '@testing-library/user-event'

/** Appends a text to a field in one step, because each typed key renders the form again. */
export async function write(field: HTMLElement, text: string) {
  await userEvent.click(field)
  await userEvent.paste(text)
}
