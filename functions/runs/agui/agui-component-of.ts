import { type Component, parseComponent } from "../../../shared/runs/index.ts";

type Declared = readonly { readonly id: string }[];
type Registered = { readonly [K in `${Component["kind"]}s`]: Declared };

/** The component of a setting; the first that is declared where it names none. */
export function aguiComponentOf(setting: string | undefined, registry: Registered): Component | undefined {
  if (setting !== undefined) return parseComponent(setting);
  const kinds = ["agent", "team", "workflow"] as const;
  return kinds.flatMap((kind) => registry[`${kind}s`].map(({ id }) => ({ kind, id })))[0];
}
