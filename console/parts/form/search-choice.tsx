import { useEffect, useMemo, useState } from "react";
import { Combo } from "./combo.tsx";

const WAIT_MS = 350;

type SearchChoiceProps = {
  readonly label: string;
  readonly placeholder?: string;
  /** What is proposed; anything else can be typed. */
  readonly texts: readonly string[];
  readonly value: string;
  /** Called when the reader has stopped typing. */
  readonly onChange: (text: string) => void;
};

/** A text that is typed, or taken from a menu that narrows while one types. */
export function SearchChoice({ label, placeholder = "", texts, value, onChange }: SearchChoiceProps) {
  const [text, setText] = useState(value);
  const choices = useMemo(() => texts.map((one) => ({ id: one, text: one })), [texts]);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <Combo label={label} placeholder={placeholder} choices={choices} value={text} onChange={setText} isFree />
  );
}
