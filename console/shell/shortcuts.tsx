import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import type { Screen } from "./screens.ts";

/** Keys that follow each other later than this are two shortcuts. */
const SEQUENCE_MS = 1_000;

/** Where a screen that is being loaded shows its search. */
const SEARCH_MS = 5_000;
const SEARCH = "[data-search] input, input[type=search]";

/**
 * `g r` and the like lead to screens, `/` to the search of the screen, `?` to the list of all, and `k` with Ctrl or the command key
 * to anything, also while the reader writes.
 *
 * @param here  the screen that is shown; from a page of one thing, `/` leads to the search of its screen
 */
export function useShortcuts(
  screens: readonly Screen[],
  here: Screen | undefined,
  { onHelp, onPalette }: { readonly onHelp: () => void; readonly onPalette: () => void },
): void {
  const [, navigate] = useLocation();
  const before = useRef({ key: "", at: 0 });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        return onPalette();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      if (event.key === "?") {
        event.preventDefault();
        onHelp();
      } else if (event.key === "/") {
        const search = document.querySelector<HTMLElement>(SEARCH);
        const elsewhere = here?.search ?? here?.path ?? "/runs";
        const isOffered = screens.some(({ path }) => path === elsewhere.split("?")[0]);
        if (search === null && !isOffered) return;
        event.preventDefault();
        if (search) return search.focus();
        navigate(elsewhere);
        focusWhenThere(SEARCH);
      } else {
        const { key, at } = before.current;
        const keys = Date.now() - at < SEQUENCE_MS ? `${key} ${event.key}` : event.key;
        before.current = { key: event.key, at: Date.now() };
        const screen = screens.find((one) => one.keys === keys);
        if (screen) navigate(screen.path);
      }
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [screens, here, navigate, onHelp, onPalette]);
}

/** Focuses the first element that a selector finds, as soon as there is one. */
function focusWhenThere(selector: string): void {
  const observer = new MutationObserver(() => {
    const found = document.querySelector<HTMLElement>(selector);
    if (!found) return;
    observer.disconnect();
    found.focus();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), SEARCH_MS);
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName) ||
    target.closest("[role=listbox],[role=menu]") !== null);

export function Shortcuts({
  screens,
  isOpen,
  onClose,
}: {
  readonly screens: readonly Screen[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const rows = [
    ["Ctrl+k", "Go to anything"],
    ["/", "Search"],
    ["?", "This list"],
    ...screens.map(({ keys, title }) => [keys, title]),
  ];
  return (
    <Dialog title="Shortcuts" isOpen={isOpen} onClose={onClose}>
      <dl className="facts">
        {rows.map(([keys = "", what]) => (
          <div key={keys} style={{ display: "contents" }}>
            <dt className="keys">
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <div className="dialog-actions">
        <Button onPress={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
