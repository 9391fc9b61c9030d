import userEvent from '@testing-library/user-event'

/** Writes a text into a field after the one that is there, all at once: each typed key renders the form again. */
export async function write(field: HTMLElement, text: string) {
  await userEvent.click(field)
  await userEvent.paste(text)
}
