import { createHash } from "node:crypto";
import { callerOf } from "../../../shared/auth/caller.ts";
import { holdsSome, mayUse } from "../../../shared/auth/scopes/held-scopes.ts";
import { INSTRUCTIONS, type Skill } from "../../../shared/engine/skill/skill.ts";
import { skillsOf } from "../../../shared/engine/skill/skills-of.ts";
import { textsOf } from "../../../shared/engine/skill/texts-of.ts";
import type { McpDeps, McpRequest } from "./mcp-deps.ts";
import { listComponents } from "./read-tools.ts";
import { liveSkill, storedSkillIds } from "./stored-skills.ts";

/** The extension by which clients know that there are skills, and which files they have. */
export const SKILLS_EXTENSION = "io.modelcontextprotocol/skills";

const SCHEME = "skill://";
/** Components whose skills one answer lists. */
const PAGE = 50;
/** How long a client may keep an answer, in milliseconds: a version that is published changes it. */
const TTL_MS = 5_000;

type Caller = Pick<McpRequest, "principal" | "signal" | "invocation">;
/** Agents and teams with skills, and stored skills by themselves. */
const kinds = ["agent", "team", "skill"] as const;
type Kind = (typeof kinds)[number];
type Owner = { readonly kind: Kind; readonly id: string };
type Found = { readonly owner: Owner; readonly skill: Skill };

/** Whether a caller may read skills, or components that can have some. */
export const readsSkills = ({ principal }: Pick<McpRequest, "principal">): boolean =>
  kinds.some((kind) => holdsSome(principal, kind, "read"));

/**
 * One page of the skills that a caller may read, by themselves and as parts of components.
 *
 * @param cursor  number of the page, as the page before named it
 */
export async function listSkills(caller: Caller, deps: McpDeps, cursor = "1") {
  const page = /^[1-9]\d{0,8}$/.test(cursor) ? Number(cursor) : 1;
  const readable = kinds.filter((kind) => holdsSome(caller.principal, kind, "read"));
  const lists = await Promise.all(readable.map((kind) => ownersOf(kind, caller, deps)));
  const owners = lists.flat();
  const found = await Promise.all(
    owners.slice((page - 1) * PAGE, page * PAGE).map((owner) => skillsOwnedBy(owner, caller, deps)),
  );
  return {
    ...kept,
    skills: await Promise.all(found.flat().map(entryOf)),
    ...(page * PAGE < owners.length && { nextCursor: String(page + 1) }),
  };
}

/** One skill by the address of its `SKILL.md`; undefined where the caller may read no such skill. */
export async function getSkill(caller: Caller, deps: McpDeps, uri: string) {
  const named = await skillAt(uri, caller, deps);
  return named?.path === INSTRUCTIONS ? { ...kept, skill: await entryOf(named) } : undefined;
}

/** The files with the instructions of these skills, as clients see them that do not know the extension. */
export const asResources = (skills: Awaited<ReturnType<typeof listSkills>>["skills"]) =>
  skills.map(({ uri, frontmatter: { name, description } }) => ({
    uri,
    name,
    description,
    mimeType: "text/markdown",
  }));

/** A file of a skill; undefined for an address of another kind, and where the caller may read no such file. */
export async function readSkillResource(caller: Caller, deps: McpDeps, uri: string) {
  const named = await skillAt(uri, caller, deps);
  const text = named && (await textsOf(named.skill))[named.path];
  if (!named || text === undefined) return undefined;
  return { contents: [{ uri, mimeType: typeOf(named.path), text }] };
}

const kept = { resultType: "complete", ttlMs: TTL_MS, cacheScope: "private" } as const;

const typeOf = (path: string): string => (path.endsWith(".md") ? "text/markdown" : "text/plain");

async function ownersOf(
  kind: Kind,
  { principal, signal, invocation }: Caller,
  deps: McpDeps,
): Promise<Owner[]> {
  if (kind === "skill") return (await storedSkillIds(principal, deps)).map((id) => ({ kind, id }));
  const call = { principal, signal, invocation, traceparent: undefined, progress: () => undefined };
  const { components } = await listComponents(kind, call, deps);
  return components.map(({ id }) => ({ kind, id }));
}

async function skillsOwnedBy(owner: Owner, { principal }: Caller, deps: McpDeps): Promise<Found[]> {
  if (owner.kind === "skill") {
    const skill = await liveSkill(principal, deps, owner.id);
    return skill ? [{ owner, skill }] : [];
  }
  const reader = { reader: callerOf(principal), version: undefined };
  // What cannot be run has no skills to be read.
  const runnable = await deps.findRunnable(owner.kind, owner.id, reader).catch(() => undefined);
  if (!runnable || runnable.kind === "workflow") return [];
  return skillsOf(runnable).map((skill) => ({ owner, skill }));
}

/** `skill://agents/<id>/<name>` or `skill://skills/<id>/<name>`, below which the skill's files are. */
const addressOf = ({ owner, skill }: Found): string =>
  `${SCHEME}${owner.kind}s/${encodeURIComponent(owner.id)}/${encodeURIComponent(skill.name)}`;

/** @source modelcontextprotocol/ext-skills, specification/stable/skills.mdx: Skill Entries */
async function entryOf(found: Found) {
  const { skill } = found;
  const address = addressOf(found);
  const { name, description, license, compatibility, allowed_tools, metadata } = skill;
  const texts = Object.entries(await textsOf(skill)).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    uri: `${address}/${INSTRUCTIONS}`,
    frontmatter: {
      name,
      description,
      ...(license !== undefined && { license }),
      ...(compatibility !== undefined && { compatibility }),
      ...(allowed_tools !== undefined && { "allowed-tools": allowed_tools }),
      ...(metadata !== undefined && { metadata }),
    },
    resources: texts.map(([path, text]) => ({
      uri: `${address}/${path.split("/").map(encodeURIComponent).join("/")}`,
      digest: `sha256:${createHash("sha256").update(text).digest("hex")}`,
      size: Buffer.byteLength(text),
    })),
  };
}

async function skillAt(
  uri: string,
  caller: Caller,
  deps: McpDeps,
): Promise<(Found & { readonly path: string }) | undefined> {
  const [plural = "", id = "", name = "", ...rest] = partsOf(uri);
  const kind = kinds.find((one) => `${one}s` === plural);
  if (!kind || id === "" || !mayUse(caller.principal, { kind, id }, "read")) return undefined;
  const found = (await skillsOwnedBy({ kind, id }, caller, deps)).find(({ skill }) => skill.name === name);
  return found && { ...found, path: rest.join("/") };
}

function partsOf(uri: string): string[] {
  if (!uri.startsWith(SCHEME)) return [];
  try {
    return uri.slice(SCHEME.length).split("/").map(decodeURIComponent);
  } catch {
    return [];
  }
}
