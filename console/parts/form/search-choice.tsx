import { useMemo } from "react";
import { Combo } from "./combo.tsx";
import { useTypedText } from "./use-typed-text.ts";

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
  const [text, setText] = useTypedText(value, onChange);
  const choices = useMemo(() => {
    const proposed = texts.map((one) => ({ id: one, text: one }));
    const isNew = text.trim() !== "" && !texts.includes(text);
    return isNew ? [...proposed, { id: text, text, about: "As typed" }] : proposed;
  }, [texts, text]);
  return (
    <Combo label={label} placeholder={placeholder} choices={choices} value={text} onChange={setText} isFree />
  );
}
