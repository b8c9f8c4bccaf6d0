import type { FunctionModel } from "../template/functions.ts";

/** The secret of every access key on this machine. */
export const LOCAL_SECRET = "local";

/** Generates an access key per function. Letters and digits only: one of the database engines requires that. */
export function accessKeys(functions: readonly FunctionModel[]) {
  const keys = new Map(
    functions.map((fn, index) => [fn, `LOCAL${index}X${fn.name.replace(/[^A-Za-z0-9]/g, "")}`]),
  );
  const owners = new Map([...keys].map(([fn, key]) => [key, fn]));
  return {
    keyOf: (fn: FunctionModel): string => keys.get(fn) ?? "",
    ownerOf: (key: string): FunctionModel | undefined => owners.get(key),
  };
}
