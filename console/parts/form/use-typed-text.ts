import { useEffect, useState } from "react";

const WAIT_MS = 350;

/**
 * A text while it is typed, and how it is set.
 *
 * @param value     as it was taken over last
 * @param onChange  called when the reader has stopped typing
 */
export function useTypedText(value: string, onChange: (text: string) => void) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return [text, setText] as const;
}
