import { readdirSync } from "node:fs";
import { join } from "node:path";
import { matches } from "../../local/iam/policy.ts";
import type { FunctionModel } from "../../local/template/functions.ts";
import { readCompleteLines } from "../../test/support/complete-lines.ts";
import { bundleOf, type Grant, shortName } from "./granted.ts";

/**
 * Reads the used grants from the folder that `GRANTS_RECORD` named while tests ran. Platforms name a function as AWS
 * would; in-process tests name its folder.
 */
export function readRecord(folder: string, functions: readonly FunctionModel[]): Grant[] {
  const bundles = new Map(
    functions.flatMap((fn) => [fn.name, bundleOf(fn)].map((name) => [name, bundleOf(fn)] as const)),
  );
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith(".tsv"))
    .flatMap((name) => readCompleteLines(join(folder, name)));
  return [...new Set(lines)].flatMap((line) => {
    const [caller = "", action = "", resource = ""] = line.split("\t");
    const bundle = bundles.get(caller);
    // Tests of the local platform itself use other functions.
    return bundle === undefined ? [] : [{ bundle, action, resource }];
  });
}

/** The grants that no call in the record used. */
export function unusedGrants(granted: readonly Grant[], record: readonly Grant[]): Grant[] {
  const usedBy = Map.groupBy(record, ({ bundle, action }) => `${bundle} ${action}`);
  return granted.filter(({ bundle, action, resource }) => {
    const used = usedBy.get(`${bundle} ${action}`) ?? [];
    return !used.some((one) => matches(comparable(resource), comparable(one.resource)));
  });
}

/** In-process tests name a table `service_accounts`, the template names it `ServiceAccounts`. */
const comparable = (resource: string): string => shortName(resource).toLowerCase().replaceAll("_", "");
