import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** Whether Back or Forward led to the page that is shown. */
let isReturn = false;
/** Path of the page that is shown, and of the one with the link that led to it. */
let shown = location.pathname;
let before: string | undefined;
addEventListener("popstate", () => {
  isReturn = true;
  shown = location.pathname;
  before = undefined;
});
// The router says so of each page that it opens.
addEventListener("pushState", () => {
  isReturn = false;
  before = shown;
  shown = location.pathname;
});
addEventListener("replaceState", () => {
  shown = location.pathname;
});

/** Whether a link of the page at a path, such as "/runs", led here: Back leads there, and finds it as it was left. */
export const cameFrom = (path: string): boolean => before === `/console${path}`;

const kept = new Map<string, unknown>();
const addressed = (name: string): string => `${name} ${location.pathname}${location.search}`;

/** What was kept at this address under a name, where the reader comes back to it. */
export const keptPlace = <Value>(name: string): Value | undefined =>
  isReturn ? (kept.get(addressed(name)) as Value | undefined) : undefined; // each name has one kind of value

export const keepPlace = (name: string, value: unknown): void => void kept.set(addressed(name), value);

/**
 * Keeps how far an element was scrolled at an address, and scrolls it there again when the reader comes back.
 *
 * @param name  of the element, one for each on a page
 * @param size  grows with what is in it: what is read again after the return makes room first, maybe over several pages
 */
export function useKeptScroll(element: RefObject<HTMLElement | null>, name: string, size: number): void {
  const wanted = useRef<number>(undefined);
  useLayoutEffect(() => {
    wanted.current = keptPlace<number>(name);
  }, [name]);
  useEffect(() => {
    const scrolled = element.current;
    if (!scrolled) return;
    const keep = (): void => keepPlace(name, wanted.current ?? scrolled.scrollTop);
    const stop = (): void => {
      wanted.current = undefined;
    };
    scrolled.addEventListener("scroll", keep, { passive: true });
    for (const act of readerActs) scrolled.addEventListener(act, stop, { passive: true });
    return () => {
      scrolled.removeEventListener("scroll", keep);
      for (const act of readerActs) scrolled.removeEventListener(act, stop);
    };
  }, [element, name]);
  useLayoutEffect(() => {
    if (size === 0 || !element.current || wanted.current === undefined) return;
    element.current.scrollTop = wanted.current;
    if (element.current.scrollTop >= Math.floor(wanted.current)) wanted.current = undefined;
  }, [element, size]);
}

/** From then on the reader says where the list stands. */
const readerActs = ["wheel", "pointerdown", "keydown"] as const;

/** How long a page that the reader comes back to may take until it is as high as it was. */
const GROWS_MS = 2_000;

/** The same of what scrolls whole pages: each begins at its top, and where the reader left it when that is where one comes back to. */
export function useKeptPage(element: RefObject<HTMLElement | null>, path: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is shown with another path
  useEffect(() => {
    const page = element.current;
    if (!page) return;
    const wanted = keptPlace<number>("page") ?? 0;
    const end = performance.now() + GROWS_MS;
    let frame = 0;
    const scroll = (): void => {
      page.scrollTop = wanted;
      if (page.scrollTop < wanted && performance.now() < end) frame = requestAnimationFrame(scroll);
    };
    scroll();
    const stop = (): void => cancelAnimationFrame(frame);
    const keep = (): void => keepPlace("page", page.scrollTop);
    page.addEventListener("wheel", stop, { passive: true });
    page.addEventListener("scroll", keep, { passive: true });
    return () => {
      stop();
      page.removeEventListener("wheel", stop);
      page.removeEventListener("scroll", keep);
    };
  }, [element, path]);
}
