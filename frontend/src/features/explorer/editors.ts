import CodeMirror from 'codemirror'

// GraphiQL names the regions of its editors but not the editors in them: each takes its region's name for screen readers. Tab
// leaves an editor, as it leaves every field; whoever works with the keyboard would be caught in it. And long lines are
// wrapped, which spares scrolling in two directions.
CodeMirror.defineInitHook((editor) => {
  const label = editor.getWrapperElement().closest('[aria-label]')?.getAttribute('aria-label')
  if (label) editor.setOption('screenReaderLabel', label)
  editor.setOption('lineWrapping', true)
  editor.addKeyMap({ Tab: false, 'Shift-Tab': false })
})
