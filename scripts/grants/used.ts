import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { matches } from "../../local/iam/policy.ts";
import type { FunctionModel } from "../../local/template/functions.ts";
import { bundleOf, type Grant } from "./granted.ts";

/** Reads what functions used from the folder that `GRANTS_RECORD` named while platforms ran. */
export function readRecord(folder: string, functions: readonly FunctionModel[]): Grant[] {
  const bundles = new Map(functions.map((fn) => [fn.name, bundleOf(fn)]));
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith(".tsv"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
  return [...new Set(lines)].flatMap((line) => {
    const [caller = "", action = "", resource = ""] = line.split("\t");
    const bundle = bundles.get(caller);
    // Tests of the local platform itself have functions of their own.
    return bundle === undefined ? [] : [{ bundle, action, resource }];
  });
}

/** The grants that nothing in the record needed. */
export function unusedGrants(granted: readonly Grant[], record: readonly Grant[]): Grant[] {
  const usedBy = Map.groupBy(record, ({ bundle, action }) => `${bundle} ${action}`);
  return granted.filter(({ bundle, action, resource }) => {
    const used = usedBy.get(`${bundle} ${action}`) ?? [];
    return !used.some((one) => matches(resource, one.resource));
  });
}
