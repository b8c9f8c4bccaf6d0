import { useEffect, useState } from "react";

const SECOND_MS = 1_000;

/** The time in milliseconds since the epoch, anew every second while it is asked for. */
export function useSeconds(isAsked: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isAsked) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [isAsked]);
  return now;
}
