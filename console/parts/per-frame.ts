/**
 * Calls back once per drawn frame, however often it is asked. In a tab that is not shown nothing is drawn, and nothing
 * is called: what was asked for is done by `flush` or when the tab is shown again.
 */
export function perFrame(work: () => void): { readonly ask: () => void; readonly flush: () => void } {
  let frame: number | undefined;
  const flush = () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    frame = undefined;
    work();
  };
  return {
    ask: () => {
      frame ??= requestAnimationFrame(flush);
    },
    flush,
  };
}
