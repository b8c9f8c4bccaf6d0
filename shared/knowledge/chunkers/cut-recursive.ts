import { type Cut, partsOf } from "./chunker.ts";
import { lastOf, windows } from "./windows.ts";

/** Cut at the last line's end inside the window, else at the last full stop. */
export const cutRecursive: Cut = (passage, sizes) =>
  partsOf(
    passage,
    windows(passage.text, sizes, (window) => lastOf(window, ["\n", ". ", " "]) ?? window.length),
  );
