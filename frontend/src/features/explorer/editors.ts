import CodeMirror from 'codemirror'

// GraphiQL names the regions of its editors but not the editors themselves: for screen readers, each takes its region's name.
// Tab leaves an editor like any field, so that keyboard users are not trapped. Long lines wrap, which avoids scrolling in two
// directions. A text that does not fit is a tab stop, where the arrow keys scroll without moving the cursor.
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
