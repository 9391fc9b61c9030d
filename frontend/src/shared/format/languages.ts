/** The browser's word, in a language, for a language such as "el" or a script such as "Cyrl". */
export const languageName = (code: string, language: string) =>
  new Intl.DisplayNames(language, { type: code.length === 4 ? 'script' : 'language' }).of(code) ?? code
