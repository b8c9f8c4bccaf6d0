import { useSyncExternalStore } from "react";

function subscribe(listener: () => void): () => void {
  addEventListener("resize", listener);
  return () => removeEventListener("resize", listener);
}

const STEP = 40;

/** Width of the window in pixels, in steps, so that dragging its edge does not render the page for every pixel. */
export const useWidth = (): number =>
  useSyncExternalStore(subscribe, () => Math.floor(window.innerWidth / STEP) * STEP);
