import type { ComponentType } from "../../../schemas/components/component.ts";
import type { Runnable } from "../../define/runnable.ts";
import type { Built } from "./built.ts";

/** Looks up what a config names: declared in code, else at the version that its link holds, else the live one. */
export type FindChild = (type: ComponentType, id: string) => Promise<Built<Runnable | undefined>>;

/** A child of a kind, or the fault that it is not there. */
export async function childOf<K extends ComponentType>(
  find: FindChild,
  type: K,
  id: string,
): Promise<Built<Extract<Runnable, { kind: K }> | undefined>> {
  const { value, faults } = await find(type, id);
  if (!value || value.kind !== type)
    return { value: undefined, faults: [`${type} ${id} is not there`, ...faults] };
  // Its kind has just been compared.
  return {
    value: value as Extract<Runnable, { kind: K }>,
    faults: faults.map((fault) => `${type} ${id}: ${fault}`),
  };
}
