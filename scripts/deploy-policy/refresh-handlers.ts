import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { furtherRights } from "./feature-rights.ts";
import { resourceNames } from "./resource-names.ts";

const file = join(import.meta.dirname, "handlers.json");
const phases = ["create", "read", "update", "delete"] as const;

const Schema = v.object({
  typeName: v.string(),
  handlers: v.optional(
    v.record(v.string(), v.looseObject({ permissions: v.optional(v.array(v.string()), []) })),
    {},
  ),
});
const Reference = v.record(
  v.string(),
  v.looseObject({
    Actions: v.record(v.string(), v.looseObject({ Resources: v.optional(v.array(v.string()), []) })),
  }),
);

/**
 * Reads anew what handlers need, for these types, and which resources their actions know. The package `cfn-lint` of PyPI
 * carries the resource schemas of CloudFormation and the service authorization reference.
 */
export function refreshHandlers(types: ReadonlySet<string>): void {
  const folder = mkdtempSync(join(tmpdir(), "handlers-"));
  try {
    const python = (...args: string[]) =>
      execFileSync("python3", ["-m", ...args], { cwd: folder, stdio: "ignore" });
    python("pip", "download", "cfn-lint", "--no-deps", "--dest", folder);
    const wheel = readdirSync(folder).find((name) => name.endsWith(".whl")) ?? "";
    python("zipfile", "-e", wheel, folder);
    const data = join(folder, "cfnlint/data");
    const read = (path: string): unknown => JSON.parse(readFileSync(join(data, path), "utf8"));
    const schemas = readdirSync(join(data, "schemas/resources"))
      .filter((name) => name.endsWith(".json"))
      .map((name) => v.parse(Schema, read(`schemas/resources/${name}`)))
      .filter(({ typeName }) => types.has(typeName))
      .sort((a, b) => (a.typeName < b.typeName ? -1 : 1));
    const handlers = Object.fromEntries(schemas.map((schema) => [schema.typeName, handlersOf(schema)]));
    const named = [
      ...Object.values(handlers).flatMap((one) => Object.values(one).flat()),
      ...furtherRights.flatMap(({ actions }) => actions),
      "ssm:GetParameters",
    ];
    const written = {
      source: `PyPI: ${wheel.replace(/-py3.*/, "")}`,
      schemas: v.parse(v.object({ schema_date: v.string() }), read("schemas/version.json")).schema_date,
      types: handlers,
      actions: kindsOf(v.parse(Reference, read("AdditionalSpecs/Policies.json")), named),
    };
    writeFileSync(file, `${JSON.stringify(written, undefined, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const handlersOf = ({ handlers }: v.InferOutput<typeof Schema>) =>
  Object.fromEntries(
    phases.flatMap((phase) => {
      const permissions = handlers[phase]?.permissions;
      return permissions ? [[phase, [...new Set(permissions)].sort()] as const] : [];
    }),
  );

/** Those that have a name here; all of them where none has, so that it is noticed. */
function withoutOthers(service: string, kinds: readonly string[]): readonly string[] {
  if (`${service}:*` in resourceNames) return ["*"];
  const ours = kinds.filter((kind) => `${service}:${kind}` in resourceNames);
  return ours.length > 0 ? ours : kinds;
}

/** The kinds of resources of each action; none where a statement can name none. */
function kindsOf(reference: v.InferOutput<typeof Reference>, actions: readonly string[]) {
  const found = [...new Set(actions)].sort().flatMap((action) => {
    const [service = "", name = ""] = action.split(":");
    const entry = reference[service]?.Actions[name.toLowerCase()];
    return entry ? [[action, withoutOthers(service, entry.Resources)] as const] : [];
  });
  return Object.fromEntries(found);
}
