import { withoutReserved } from "../domain/knowledge/content-plans.ts";
import type { Metadata, StoredContent } from "../schemas/knowledge/knowledge-content.ts";
import type { FilterExpression } from "../schemas/knowledge/knowledge-filter.ts";
import { MAX_TAG_BYTES, MAX_TAG_KEYS, type Tags, type TagValue } from "../stores/knowledge/vector-store.ts";

/** Tag with the owner of a chunk; `SHARED` for chunks without an owner. */
const OWNER = "owner";
const SHARED = "*";
const OWNED = "=";
/** Prefix that separates users' keys from ours. */
const METADATA = "m.";

/** Tags by which searches filter a content's chunks: its owner, and the metadata with comparable values. */
export function tagsOf({ owner, metadata }: Pick<StoredContent, "owner" | "metadata">): Tags {
  const own = Object.entries(withoutReserved(metadata ?? {})).flatMap(([key, value]) => {
    const tag = tagOf(value);
    return tag === undefined ? [] : [[`${METADATA}${key}`, tag] as const];
  });
  return { [OWNER]: ownerTag(owner), ...Object.fromEntries(own) };
}

const ownerTag = (owner: string | null): string => (owner === null ? SHARED : `${OWNED}${owner}`);

function tagOf(value: unknown): TagValue | TagValue[] | undefined {
  if (isTagValue(value)) return value;
  if (!Array.isArray(value)) return undefined;
  const values = value.filter(isTagValue);
  return values.length > 0 ? values : undefined;
}

const isTagValue = (value: unknown): value is TagValue =>
  typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);

/** Why metadata cannot become tags; undefined where it can. */
export function tagError(content: Pick<StoredContent, "owner" | "metadata">): string | undefined {
  const tags = tagsOf(content);
  const bytes = Buffer.byteLength(JSON.stringify(tags));
  // The chunk's text and origin are metadata too.
  if (Object.keys(tags).length + 2 > MAX_TAG_KEYS)
    return `The metadata has more than ${MAX_TAG_KEYS - 3} keys.`;
  return bytes > MAX_TAG_BYTES ? `The metadata is larger than ${MAX_TAG_BYTES} bytes.` : undefined;
}

/** Filter for the chunks that a caller may see. @param owner undefined for those of all owners */
export function visibleTo(owner: string | null | undefined): FilterExpression {
  if (owner === undefined) return { op: "AND", conditions: [] };
  const owners = owner === null ? [SHARED] : [SHARED, ownerTag(owner)];
  return { op: "IN", key: OWNER, values: owners };
}

/** A filter on metadata, as a filter on tags. */
export function onTags(filter: FilterExpression): FilterExpression {
  switch (filter.op) {
    case "AND":
    case "OR":
      return { op: filter.op, conditions: filter.conditions.map(onTags) };
    case "NOT":
      return { op: "NOT", condition: onTags(filter.condition) };
    default:
      return { ...filter, key: `${METADATA}${filter.key}` };
  }
}

/** Metadata of a content that search results show. */
export const shownMetadata = (metadata: Metadata | null): Metadata => withoutReserved(metadata ?? {});
