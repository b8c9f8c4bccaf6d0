import { partsOfSkill } from "./skill-file.ts";
import { readStrictYaml, type StrictMapping, type StrictValue, YamlFault } from "./strict-yaml.ts";

/** The properties of a skill, and its instructions. */
export type ParsedSkill = {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly allowed_tools?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly instructions: string;
};

/** What is wrong with a `SKILL.md`, with its line where there is one. */
export type ParseProblem = { readonly line?: number; readonly text: string };

/** The keys that the format has. */
const KEYS = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"] as const;

const MAX_NAME = 64;
const MAX_DESCRIPTION = 1_024;
const MAX_COMPATIBILITY = 500;

/**
 * Reads a `SKILL.md` in the open format of Agent Skills.
 *
 * @param folder  name of the folder that the file is in, which the skill must share
 * @source https://agentskills.io/specification
 */
export function parseSkill(
  file: string,
  folder: string,
): { readonly skill: ParsedSkill } | { readonly problems: readonly ParseProblem[] } {
  const text = file.replaceAll("\r\n", "\n");
  const parts = partsOfSkill(text);
  if (!text.startsWith("---")) return oneProblem("it must begin with a line --- and its frontmatter", 1);
  if (!parts) return oneProblem("its frontmatter is not closed by a line ---", 1);
  const read = frontmatter(parts.head);
  if ("problems" in read) return read;
  const problems = checked(read.keys, folder);
  if (problems.length > 0) return { problems };
  return { skill: { ...propertiesOf(read.keys), instructions: parts.body.trim() } };
}

const oneProblem = (text: string, line: number) => ({ problems: [{ line, text }] });

function frontmatter(head: string) {
  try {
    const keys = readStrictYaml(head);
    if (!isMapping(keys)) return oneProblem("its frontmatter must be lines of `key: value`", 2);
    return { keys };
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    return oneProblem(error.message, error.line + 1);
  }
}

const isMapping = (value: StrictValue): value is StrictMapping => value instanceof Map;

/** Lines are counted from the one after the opening `---`. */
function checked(keys: StrictMapping, folder: string): ParseProblem[] {
  const at = (name: string): { line?: number } => {
    const line = keys.get(name)?.line;
    return line === undefined ? {} : { line: line + 1 };
  };
  const unknown = [...keys.keys()].filter((key) => !KEYS.some((known) => known === key));
  const about = (name: string, texts: readonly string[]) => texts.map((text) => ({ ...at(name), text }));
  return [
    ...unknown.flatMap((key) =>
      about(key, [`the format has no key "${key}"; put what is your own below metadata`]),
    ),
    ...about("name", nameProblems(keys.get("name")?.value, folder)),
    ...about("description", textProblems("description", keys.get("description")?.value, MAX_DESCRIPTION)),
    ...(keys.has("compatibility")
      ? about(
          "compatibility",
          textProblems("compatibility", keys.get("compatibility")?.value, MAX_COMPATIBILITY),
        )
      : []),
    ...about("license", optionalText("license", keys.get("license")?.value)),
    ...about("allowed-tools", optionalText("allowed-tools", keys.get("allowed-tools")?.value)),
    ...about("metadata", metadataProblems(keys.get("metadata")?.value)),
  ];
}

function nameProblems(value: StrictValue | undefined, folder: string): string[] {
  if (value === undefined) return ["it has no name; add `name:` to its frontmatter"];
  if (typeof value !== "string" || value.trim() === "") return ["its name must be a text that is not empty"];
  const name = value.trim().normalize("NFKC");
  return [
    ...([...name].length > MAX_NAME ? [`its name has more than ${MAX_NAME} characters`] : []),
    ...(name === name.toLowerCase() ? [] : ["its name must be in lower case"]),
    ...(/^-|-$/.test(name) ? ["its name must not begin or end with a hyphen"] : []),
    ...(name.includes("--") ? ["its name must not have two hyphens in a row"] : []),
    ...(/^[\p{L}\p{N}-]*$/u.test(name) ? [] : ["its name may have letters, digits and hyphens only"]),
    ...(name === folder.normalize("NFKC")
      ? []
      : [`its name "${name}" must be that of its folder, "${folder}"`]),
  ];
}

function textProblems(key: string, value: StrictValue | undefined, most: number): string[] {
  if (value === undefined) return [`it has no ${key}; add \`${key}:\` to its frontmatter`];
  if (typeof value !== "string" || value.trim() === "")
    return [`its ${key} must be a text that is not empty`];
  return [...value].length > most ? [`its ${key} has more than ${most} characters`] : [];
}

const optionalText = (key: string, value: StrictValue | undefined): string[] =>
  value === undefined || typeof value === "string" ? [] : [`its ${key} must be a text`];

function metadataProblems(value: StrictValue | undefined): string[] {
  if (value === undefined || value === "") return [];
  const isFlat = isMapping(value) && [...value.values()].every((entry) => typeof entry.value === "string");
  return isFlat ? [] : ["its metadata must be lines of `key: text`, indented below it"];
}

function propertiesOf(keys: StrictMapping): Omit<ParsedSkill, "instructions"> {
  const text = (key: string): string => {
    const value = keys.get(key)?.value;
    return typeof value === "string" ? value.trim() : "";
  };
  const metadata = keys.get("metadata")?.value;
  return {
    name: text("name").normalize("NFKC"),
    description: text("description"),
    ...(text("license") !== "" && { license: text("license") }),
    ...(text("compatibility") !== "" && { compatibility: text("compatibility") }),
    ...(text("allowed-tools") !== "" && { allowed_tools: text("allowed-tools") }),
    ...(metadata !== undefined &&
      isMapping(metadata) && {
        metadata: Object.fromEntries([...metadata].map(([key, { value }]) => [key, String(value)])),
      }),
  };
}
