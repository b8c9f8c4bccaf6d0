import type { ComponentType } from "../../../schemas/components/component.ts";
import type { Runnable } from "../../define/runnable.ts";
import { type Built, faultWithin, unknownName } from "./built.ts";
import type { StoredSkill } from "./own-skill.ts";

/** What a stored version describes. */
export type BuiltComponent = Runnable | StoredSkill;

/** Looks up a component by id: declared in code, else the version that the config's link holds, else the live one. */
export type FindChild = (type: ComponentType, id: string) => Promise<Built<BuiltComponent | undefined>>;

/** A child of a kind, or the fault that it does not exist. @param path  of the config's value that names it */
export async function childOf<K extends ComponentType>(
  find: FindChild,
  type: K,
  id: string,
  path: string,
): Promise<Built<Extract<BuiltComponent, { kind: K }> | undefined>> {
  const found = await find(type, id);
  const faults = found.faults.map((fault) => faultWithin(fault, `${type} ${id}`, path));
  const { value } = found;
  if (value?.kind === type) return { value: value as Extract<BuiltComponent, { kind: K }>, faults }; // just compared
  // What stands in the way of looking it up says more than that it was not found.
  return {
    value: undefined,
    faults: faults.length > 0 ? faults : [unknownName(path, `${type} ${id} is not there`)],
  };
}
