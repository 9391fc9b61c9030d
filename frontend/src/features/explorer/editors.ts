import CodeMirror from 'codemirror'

// GraphiQL names the regions of its editors but not the editors in them: each takes its region's name for screen readers. Tab
// leaves an editor, as it leaves every field; whoever works with the keyboard would be caught in it. Long lines are
// wrapped, which spares scrolling in two directions. And a text that does not fit is a stop of its own on the way of the Tab
// key, which the arrows scroll without moving the cursor.
CodeMirror.defineInitHook((editor) => {
  const label = editor.getWrapperElement().closest('[aria-label]')?.getAttribute('aria-label')
  if (label) editor.setOption('screenReaderLabel', label)
  editor.setOption('lineWrapping', true)
  editor.addKeyMap({ Tab: false, 'Shift-Tab': false })
  const scroller = editor.getScrollerElement()
  scroller.setAttribute('role', 'group')
  if (label) scroller.setAttribute('aria-label', label)
  const reachable = () => {
    scroller.tabIndex = scroller.scrollHeight > scroller.clientHeight ? 0 : -1
  }
  editor.on('update', reachable)
  new ResizeObserver(reachable).observe(scroller) // it lives as long as the page
})
