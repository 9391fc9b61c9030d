/** The properties that all charts share. */
export const common = {
  h: 220,
  gridColor: 'var(--data-grid)',
  strokeDasharray: '0',
  tickLine: 'none',
  tooltipAnimationDuration: 0,
  // As many labels as fit, at equal distances.
  xAxisProps: { minTickGap: 16, interval: 'equidistantPreserveStart' },
  // All labels: any other interval moves the top one off its line.
  yAxisProps: { interval: 0 },
} as const
