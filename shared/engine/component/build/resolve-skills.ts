import * as v from "valibot";
import type { Fault } from "../../../errors.ts";
import type { Registry } from "../../define/registry.ts";
import { INSTRUCTIONS, type Skill } from "../../skill/skill.ts";
import { skillsOf } from "../../skill/skills-of.ts";
import { type Built, unknownName, unusable } from "./built.ts";

/** A path within a skill's folder: no part of it is hidden, and none leads out of it. */
const OwnPath = v.pipe(
  v.string(),
  v.maxLength(300),
  v.regex(/^[^/.\\][^/\\]*(?:\/[^/.\\][^/\\]*)*$/, "a file's path goes from the folder of its skill"),
);

/** As many as clients of skills over MCP take. */
const MOST_FILES = 512;

/** A skill that a config holds itself: its name, and the texts of its files by their path. */
const OwnSkill = v.strictObject({
  name: v.pipe(v.string(), v.nonEmpty()),
  files: v.pipe(
    v.record(OwnPath, v.string()),
    v.check((files) => Object.keys(files).length <= MOST_FILES, `a skill has ${MOST_FILES} files at most`),
    v.check((files) => INSTRUCTIONS in files, `a skill has a file ${INSTRUCTIONS}`),
  ),
});
type OwnSkill = v.InferOutput<typeof OwnSkill>;

type Resolved = { readonly skill?: string | Skill; readonly name: string; readonly faults: readonly Fault[] };

/** The skills that a config names among the registered ones, by their folder, and those that it holds itself. */
export async function resolveSkills(
  config: unknown,
  { parts }: Registry,
): Promise<Built<readonly (string | Skill)[] | undefined>> {
  if (config === undefined || config === null) return { value: undefined, faults: [] };
  const parsed = v.safeParse(v.array(v.union([v.string(), v.looseObject({})])), config);
  if (!parsed.success) {
    const text = "skills must be a list of names of skills, and of skills as {name, files}";
    return { value: undefined, faults: [unusable("skills", text)] };
  }
  const registered = skillsOf({ skills: parts?.skills ?? [] });
  const found = await Promise.all(
    parsed.output.map((one, at) =>
      typeof one === "string" ? namedSkill(one, `skills[${at}]`, registered) : ownSkill(one, `skills[${at}]`),
    ),
  );
  return {
    value: found.flatMap(({ skill }) => skill ?? []),
    faults: [...found.flatMap(({ faults }) => faults), ...sameNames(found)],
  };
}

function namedSkill(name: string, path: string, registered: readonly Skill[]): Resolved {
  const skill = registered.find((one) => one.name === name);
  if (skill) return { skill: skill.folder, name, faults: [] };
  return { name, faults: [unknownName(path, `skill ${name} is not registered`)] };
}

async function ownSkill(config: object, path: string): Promise<Resolved> {
  const parsed = v.safeParse(OwnSkill, config);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const within = issue.path?.map(({ key }) => `.${String(key)}`).join("") ?? "";
    return { name: path, faults: [unusable(path + within, `a skill is {name, files}: ${issue.message}`)] };
  }
  return readOwn(parsed.output, path);
}

async function readOwn({ name, files }: OwnSkill, path: string): Promise<Resolved> {
  // The reader of YAML is a chunk of its own, which only these components load.
  const { skillOfFiles } = await import("../../skill/skill-of-files.ts");
  const texts = Object.entries(files).map(([file, text]) => [file, text.replaceAll("\r\n", "\n")]);
  const read = skillOfFiles(name, Object.fromEntries(texts));
  if ("skill" in read) return { skill: { ...read.skill, texts: read.texts }, name, faults: [] };
  const faults = read.problems.map(({ line, text }) =>
    unusable(`${path}.files.${INSTRUCTIONS}`, `${line === undefined ? "" : `line ${line}: `}${text}`),
  );
  return { name, faults };
}

/** A model names a skill by its name alone. */
const sameNames = (found: readonly Resolved[]): Fault[] =>
  found.flatMap(({ name }, at) =>
    found.findIndex((one) => one.name === name) < at
      ? [unusable(`skills[${at}]`, `there are two skills of the name ${name}`)]
      : [],
  );
