import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentKeys, memberKeys } from "../shared/domain/components/config-keys/agent-keys.ts";
import type { ConfigKey, ConfigKeys } from "../shared/domain/components/config-keys/config-key.ts";
import { skillKeys } from "../shared/domain/components/config-keys/skill-keys.ts";
import { teamKeys } from "../shared/domain/components/config-keys/team-keys.ts";
import { reviewKeys, stepKeys, workflowKeys } from "../shared/domain/components/config-keys/workflow-keys.ts";

export const configKeysPath = join(import.meta.dirname, "../docs/guide/components.md");

const BEGIN = "<!-- keys: `npm run docs` writes what follows from shared/domain/components/config-keys -->";
const END = "<!-- keys: end -->";

/** The page with its tables of keys as the code has them. @param page  as it is */
export function withConfigKeys(page: string): string {
  const [before, rest = ""] = page.split(BEGIN);
  const after = rest.split(END)[1];
  if (after === undefined) throw new Error("docs/guide/components.md has no place for the keys");
  return `${before}${BEGIN}\n\n${keysText()}\n\n${END}${after}`;
}

const keysText = (): string =>
  [
    section("Agents and leaders of teams", memberKeys),
    section("Further keys of agents", without(agentKeys, memberKeys)),
    section("Further keys of teams", without(teamKeys, memberKeys)),
    section("Workflows", workflowKeys),
    section("Skills", skillKeys),
    ...Object.entries(stepKeys).map(([type, keys]) => section(`Steps of the type ${type}`, keys)),
    ...Object.entries(reviewKeys).map(([type, keys]) => section(`human_review of the type ${type}`, keys)),
  ].join("\n\n");

const without = (keys: ConfigKeys, others: ConfigKeys): ConfigKeys =>
  Object.fromEntries(Object.entries(keys).filter(([name]) => !Object.hasOwn(others, name)));

function section(title: string, keys: ConfigKeys): string {
  const entries = Object.entries(keys);
  const working = entries.filter(([, { status }]) => status === "works");
  const others = entries.filter(([, { status }]) => status !== "works");
  const rows = others.map(([name, key]) => [`\`${name}\``, key.status, key.note ?? "", plainText(key)]);
  return [
    `### ${title}`,
    `Works: ${working.map(workingText).join(", ")}.`,
    ...(rows.length > 0 ? [markdownTable(["Key", "Is", "Because", "No warning for"], rows)] : []),
  ].join("\n\n");
}

/** As the formatter has tables: columns as wide as their widest cell. */
function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

function workingText([name, { note, refuses }]: [string, ConfigKey]): string {
  const notes = [note, refuses && `not ${refuses.values.join(", ")}: ${refuses.because}`].filter(Boolean);
  return notes.length > 0 ? `\`${name}\` (${notes.join("; ")})` : `\`${name}\``;
}

const plainText = ({ plain = [] }: ConfigKey): string =>
  plain === "any" ? "any value" : plain.map((value) => `\`${JSON.stringify(value)}\``).join(", ");

if (import.meta.main) {
  writeFileSync(configKeysPath, withConfigKeys(readFileSync(configKeysPath, "utf8")));
}
