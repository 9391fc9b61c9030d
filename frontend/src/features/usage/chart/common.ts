/** What the charts have in common. */
export const common = {
  h: 220,
  gridColor: 'var(--data-grid)',
  strokeDasharray: '0',
  tickLine: 'none',
  tooltipAnimationDuration: 0,
  // As many labels as there is room for, at equal distances.
  xAxisProps: { minTickGap: 16, interval: 'equidistantPreserveStart' },
} as const
