import { type Cut, partsOf } from "./chunker.ts";
import { lastOf, windows } from "./windows.ts";

/** White space collapsed; cut at the last blank before the size, or at the size. */
export const cutFixedSize: Cut = (passage, sizes) => {
  const text = passage.text.replace(/\s+/g, " ").trim();
  return partsOf(
    passage,
    windows(text, sizes, (window) => lastOf(window, [" "]) ?? window.length),
  );
};
