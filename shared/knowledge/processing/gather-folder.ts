import { epochSeconds } from "../../runtime/clock.ts";
import type { ContentInput, StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import { addContent } from "../add-content.ts";
import { ContentFault } from "../content-fault.ts";
import { contentIdOf } from "../content-id.ts";
import type { SourceReader } from "../sources/source.ts";
import { awaitChildren } from "./await-children.ts";
import { type LeasedDeps, writeLeased } from "./content-lease.ts";
import type { ProcessingDeps } from "./processing-deps.ts";
import { duringStep } from "./step-failed.ts";

/** Most objects of one folder. */
const MAX_OBJECTS = 1_000;

type Folder = Extract<ContentInput, { kind: "folder" }>;

/**
 * Adds a content for each object of a folder, then waits until all of them have ended.
 *
 * @returns the content; undefined while it waits
 */
export async function gatherFolder(
  deps: LeasedDeps,
  content: StoredContent,
): Promise<StoredContent | undefined> {
  const { input } = content;
  if (input.kind !== "folder") return content;
  if (!input.children) return addChildren(deps, content, input);
  const statuses = await awaitChildren(deps, content, input.children);
  if (!statuses) return undefined;
  const failed = statuses.filter((status) => status === "failed").length;
  if (failed > 0) throw new ContentFault(`${failed} of ${statuses.length} files failed.`);
  return writeLeased(deps, content, (seen, now) => ({ ...seen, status: "completed", updated_at: now }));
}

async function addChildren(deps: LeasedDeps, content: StoredContent, input: Folder): Promise<StoredContent> {
  const source = deps.sourceOf(input.source_id);
  if (!source) throw new ContentFault(`There is no source ${input.source_id} any more.`);
  const list = () => keysBelow(deps.openSource(source, input.repo), input.prefix, MAX_OBJECTS);
  const keys = await duringStep("listing the folder", list);
  if (keys.length === 0) throw new ContentFault("The folder holds no files.");
  const children: string[] = [];
  for (const key of keys) children.push((await addChild(deps, content, input, key)).id);
  return writeLeased(deps, content, (seen) => ({ ...seen, input: { ...input, children } }));
}

/** @source docs/interface/knowledge.md 4.2 */
function addChild(
  deps: ProcessingDeps,
  parent: StoredContent,
  input: Folder,
  key: string,
): Promise<StoredContent> {
  const { knowledge_id, owner, description, metadata, options, type } = parent;
  const isNamed = parent.name !== input.prefix;
  const name = isNamed ? `${parent.name}/${key.slice(input.prefix.length)}` : key;
  const { source_id, repo } = input;
  const origin = `${source_id}:${repo ?? ""}:${key}`;
  const identity = { knowledge_id, owner, name, description, metadata: metadata ?? undefined, origin };
  const id = contentIdOf(identity);
  const upload = {
    id,
    knowledge_id,
    owner,
    name,
    description,
    metadata,
    options,
    type,
    size: 0,
    parent_id: parent.id,
    input: { kind: "remote" as const, source_id, key, ...(repo !== undefined && { repo }) },
  };
  return addContent(deps, { knowledge_id, id }, async () => upload, epochSeconds(deps.clock));
}

const PAGE = 1_000;

/**
 * Keys of the files below a prefix, at any depth.
 *
 * @throws ContentFault when there are more than `max`
 */
export async function keysBelow({ pages }: SourceReader, prefix: string, max: number): Promise<string[]> {
  const keys: string[] = [];
  for await (const { files } of pages({ prefix, limit: PAGE, delimiter: "" })) {
    keys.push(...files.map(({ key }) => key));
    if (keys.length > max) throw new ContentFault(`The folder holds more than ${max} files.`);
  }
  return keys;
}
