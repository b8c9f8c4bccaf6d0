import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keys } from "../shared/settings/keys.ts";
import { localVariables } from "../shared/settings/local.ts";
import { runs } from "../shared/settings/rows/runs.ts";
import { storage } from "../shared/settings/rows/storage.ts";
import { defaultOn, type Setting } from "../shared/settings/setting.ts";
import { type SettingName, settingNames, settings } from "../shared/settings/table.ts";

const root = join(import.meta.dirname, "..");

/** Where the page is kept. */
export const settingsDocFile = join(root, "docs", "settings.md");

/** A comment and the row that it stands above. */
const ROW = /\/\*\*((?:(?!\*\/).)*)\*\/\s+(\w+): \{/gs;

/** The sentences of all rows: the comments above them, which no function carries. */
export function sentences(): ReadonlyMap<string, string> {
  const folder = join(root, "shared", "settings");
  const files = [
    "keys.ts",
    "local.ts",
    ...readdirSync(join(folder, "rows")).map((name) => join("rows", name)),
  ];
  const rows = files.flatMap((file) => [...readFileSync(join(folder, file), "utf8").matchAll(ROW)]);
  return new Map(
    rows.map(([, comment = "", name = ""]) => [name, comment.replace(/\s+(\* )?\s*/g, " ").trim()]),
  );
}

/** The settings page, as Markdown. */
export function settingsDoc(): string {
  const said = sentences();
  const sentence = (name: string): string => {
    const found = said.get(name);
    if (found) return found;
    throw new Error(`shared/settings/ says nothing about ${name}: its row needs a comment`);
  };
  const ofRuns = Object.keys({ ...runs, ...storage });
  const [limits, others] = [true, false].map((are) =>
    settingNames.filter((name) => ofRuns.includes(name) === are),
  );
  return `# Settings

\`node scripts/settings-doc.ts\` generates this page from the tables that the code reads. A test compares them.

On AWS a setting is a context value of the CDK app: \`npx cdk deploy -c max_attempts=2\`. Locally it is an environment
variable: \`MAX_ATTEMPTS=2 npm start\`. If a value is out of bounds, the deployment or the start fails and names it.

## Background runs and budgets

${markdown(
  ["Variable", "Context value", "Default", "Bounds", "Meaning"],
  limits?.map((name) => limitRow(name, sentence(name))),
)}

## The instance

${markdown(
  ["Context value", "Variable (local)", "Default", "May be", "Meaning"],
  others?.map((name) => instanceRow(name, sentence(name))),
)}

A deployment without a \`model\` takes the default above; \`npm start\` takes \`scripted\`.

## On this machine only

${markdown(["Variable", "Default", "May be", "Meaning"], [...localRows(sentence), ...keyRows(sentence)])}
`;
}

function limitRow(name: SettingName, sentence: string): string[] {
  const setting: Setting = settings[name];
  const [here, there] = [defaultOn(setting, "dev"), defaultOn(setting, "prod")];
  const value = here === there ? there : `${there}; ${here} locally and on \`dev\``;
  return [code(setting.variable), code(name), value ?? "–", setting.form.may, sentence];
}

function instanceRow(name: SettingName, sentence: string): string[] {
  const setting: Setting = settings[name];
  const variable = setting.local === false ? undefined : setting.variable;
  const value = defaultOn(setting, "dev") ?? setting.unset;
  return [code(name), code(variable), code(value), setting.form.may, sentence];
}

type Sentence = (name: string) => string;

const localRows = (sentence: Sentence): string[][] =>
  Object.entries<{ may: string; default?: string }>(localVariables).map(
    ([name, { may, default: value = "–" }]) => [code(name), value, may, sentence(name)],
  );

const keyRows = (sentence: Sentence): string[][] =>
  Object.entries(keys).flatMap(([group, { may, names }]) =>
    names.map((name) => [code(name), "–", may, `${sentence(group)}; no file and no template ever holds it`]),
  );

const code = (text: string | undefined): string => (text ? `\`${text}\`` : "–");

function markdown(head: readonly string[], rows: readonly (readonly string[])[] = []): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

if (import.meta.main) writeFileSync(settingsDocFile, settingsDoc());
