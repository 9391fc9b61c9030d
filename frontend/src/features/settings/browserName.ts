const browsers: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/HeadlessChrome\/|Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** "Firefox, Linux" from a User-Agent header. Anything else is returned unchanged. */
export function browserName(agent: string): string {
  const browser = browsers.find(([pattern]) => pattern.test(agent))?.[1]
  if (!browser) return agent
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1]
  return system ? `${browser}, ${system}` : browser
}
