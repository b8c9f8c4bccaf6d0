import type { Choice } from "../parts/form/choice-option.tsx";
import { type Kind, kinds } from "./kinds.ts";
import { useRunnables } from "./use-runnables.ts";

/** A component in an address: `agent:assistant`. Ids may hold colons, kinds do not. */
export const componentText = (kind: Kind, id: string): string => `${kind}:${id}`;

export function componentOf(text: string): { readonly kind: Kind; readonly id: string } | undefined {
  const [name = ""] = text.split(":", 1);
  const kind = kinds.find((one) => one === name);
  const id = text.slice(name.length + 1);
  return kind && id ? { kind, id } : undefined;
}

/**
 * The components that the reader may see, to filter by; the chosen one is among them even if it is gone by now.
 *
 * @param chosen  as in the address; empty when none is
 */
export function useComponentChoices(chosen: string): readonly Choice[] {
  const { runnables } = useRunnables();
  const known = runnables.map(({ kind, id, name }) => ({
    id: componentText(kind, id),
    text: name || id,
    about: `${kind} ${id}`,
  }));
  const missing = componentOf(chosen);
  const isKnown = missing === undefined || known.some(({ id }) => id === chosen);
  return [
    { id: "", text: "All components" },
    ...known,
    ...(isKnown ? [] : [{ id: chosen, text: missing.id, about: missing.kind }]),
  ];
}
