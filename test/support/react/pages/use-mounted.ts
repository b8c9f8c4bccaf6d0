import { useEffect } from "react";

/** Calls back when the effects of a page have run, in StrictMode twice: what is begun before is ended between the two. */
export function useMounted(mounted: () => void): void {
  useEffect(() => {
    const timer = setTimeout(mounted);
    return () => clearTimeout(timer);
  }, [mounted]);
}
