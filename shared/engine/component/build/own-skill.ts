import * as v from "valibot";
import type { Fault } from "../../../errors.ts";
import { INSTRUCTIONS, type Skill } from "../../skill/skill.ts";
import { unusable } from "./built.ts";

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

/** A stored skill, as the components that name it have it. */
export type StoredSkill = {
  readonly kind: "skill";
  readonly id: string;
  /** Undefined where its files are none of a skill. */
  readonly skill: Skill | undefined;
};

/** A skill that was looked for, under the name that it would have, and what is wrong with it. */
export type ResolvedSkill<S = Skill> = {
  readonly skill?: S;
  readonly name: string;
  readonly faults: readonly Fault[];
};

/** Reads a skill from a config. @param path  of the value that holds it; empty for the config itself */
export async function ownSkill(config: object, path: string): Promise<ResolvedSkill> {
  const parsed = v.safeParse(OwnSkill, config);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const within = issue.path?.map(({ key }) => String(key)) ?? [];
    const at = [...(path === "" ? [] : [path]), ...within].join(".");
    return { name: path, faults: [unusable(at, `a skill is {name, files}: ${issue.message}`)] };
  }
  return readOwn(parsed.output, path);
}

async function readOwn({ name, files }: OwnSkill, path: string): Promise<ResolvedSkill> {
  // The reader of YAML is a chunk of its own, which only these components load.
  const { skillOfFiles } = await import("../../skill/skill-of-files.ts");
  const texts = Object.entries(files).map(([file, text]) => [file, text.replaceAll("\r\n", "\n")]);
  const read = skillOfFiles(name, Object.fromEntries(texts));
  if ("skill" in read) return { skill: { ...read.skill, texts: read.texts }, name, faults: [] };
  const at = `${path === "" ? "" : `${path}.`}files.${INSTRUCTIONS}`;
  const faults = read.problems.map(({ line, text }) =>
    unusable(at, `${line === undefined ? "" : `line ${line}: `}${text}`),
  );
  return { name, faults };
}
