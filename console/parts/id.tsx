import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "./button.tsx";

const SHOWN = 8;
const COPIED_MS = 1500;

/** An id, shortened to what people compare, with a button that copies the whole. */
export function Id({ value, whole = false }: { readonly value: string; readonly whole?: boolean }) {
  return (
    <span className="id">
      <span className="cut" title={value}>
        {whole ? value : shortId(value)}
      </span>
      <CopyButton text={value} label="Copy id" />
    </span>
  );
}

/** The end of an id is what distinguishes two of them: their beginnings are times. */
export const shortId = (id: string): string => (id.length > 16 ? `…${id.slice(-SHOWN)}` : id);

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <Button
      kind="plain"
      size="small"
      icon={copied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />}
      label={copied ? "Copied" : label}
      onPress={copy}
    />
  );
}
