/** The box in which a conversation scrolls. */
export const boxOf = (part: Element): Element => part.closest('[data-scrolls]') ?? document.documentElement
