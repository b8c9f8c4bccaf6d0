import { type RefObject, useLayoutEffect, useState } from "react";

type Window = { readonly from: number; readonly to: number };

/**
 * Which rows of a list are in view. All rows are equally high, so that a hundred thousand take no more time than ten.
 *
 * @param scroll    what scrolls
 * @param overscan  rows that are there above and below, for when the reader scrolls on
 * @returns         from the first row to before the last
 */
export function useWindow(
  scroll: RefObject<HTMLElement | null>,
  {
    count,
    rowHeight,
    overscan,
  }: { readonly count: number; readonly rowHeight: number; readonly overscan: number },
): Window {
  const [{ from, to }, setWindow] = useState<Window>({ from: 0, to: 2 * overscan });
  useLayoutEffect(() => {
    const element = scroll.current;
    if (!element) return;
    const look = (): void => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - overscan);
      const last = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + overscan;
      setWindow((before) =>
        before.from === first && before.to === last ? before : { from: first, to: last },
      );
    };
    look();
    const resized = new ResizeObserver(look);
    resized.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [scroll, rowHeight, overscan]);
  return { from: Math.min(from, count), to: Math.min(to, count) };
}
