import type { ComponentType } from "../../../schemas/components/component.ts";
import type { Runnable } from "../../define/runnable.ts";
import type { Built } from "./built.ts";

/** Looks up a component by id: declared in code, else the version that the config's link holds, else the live one. */
export type FindChild = (type: ComponentType, id: string) => Promise<Built<Runnable | undefined>>;

/** A child of a kind, or the error that it does not exist. */
export async function childOf<K extends ComponentType>(
  find: FindChild,
  type: K,
  id: string,
): Promise<Built<Extract<Runnable, { kind: K }> | undefined>> {
  const { value, errors } = await find(type, id);
  if (!value || value.kind !== type)
    return { value: undefined, errors: [`${type} ${id} is not there`, ...errors] };
  // Its kind has just been compared.
  return {
    value: value as Extract<Runnable, { kind: K }>,
    errors: errors.map((error) => `${type} ${id}: ${error}`),
  };
}
