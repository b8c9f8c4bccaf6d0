import { useEffect, useRef } from "react";

/** A key after `g` leads to a screen, and is no act of this one. */
const SEQUENCE_MS = 1_000;

type ListKeys = {
  /** Of the rows, in their order. */
  readonly ids: readonly string[];
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  /** What further keys do. */
  readonly acts?: Readonly<Record<string, () => void>>;
};

/** `j` and `k`, or the arrows, go through a list; what is written, and what lies over the page, has its keys to itself. */
export function useListKeys({ ids, selected, onSelect, acts = {} }: ListKeys): void {
  const before = useRef({ key: "", at: 0 });
  /** Where the selected row was: it may have left the list. */
  const place = useRef(0);
  const at = selected === undefined ? -1 : ids.indexOf(selected);
  if (at >= 0) place.current = at;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { key, at: pressedAt } = before.current;
      before.current = { key: event.key, at: Date.now() };
      const isSequence = key === "g" && Date.now() - pressedAt < SEQUENCE_MS;
      if (event.ctrlKey || event.metaKey || event.altKey || isSequence || isTaken(event.target)) return;
      const step = stepOf(event);
      if (step !== 0) {
        const next = at < 0 ? Math.min(place.current, ids.length - 1) : at + step;
        const id = ids[next];
        if (id === undefined) return;
        event.preventDefault();
        onSelect(id);
        requestAnimationFrame(() =>
          document.querySelector('[role=row][aria-selected="true"]')?.scrollIntoView({ block: "nearest" }),
        );
        return;
      }
      const act = Object.hasOwn(acts, event.key) ? acts[event.key] : undefined;
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [ids, at, onSelect, acts]);
}

function stepOf({ key, target }: KeyboardEvent): number {
  if (key === "j") return 1;
  if (key === "k") return -1;
  // Elsewhere the arrows scroll what has the focus.
  const isOfList =
    target === document.body ||
    (target instanceof Element && (target.id === "main" || target.closest(".list") !== null));
  if (!isOfList) return 0;
  return key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
}

const isTaken = (target: EventTarget | null): boolean =>
  document.querySelector("[role=dialog],[role=alertdialog],[role=listbox],[role=menu]") !== null ||
  (target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName)));
