import { withoutReserved } from "../domain/knowledge/content-plans.ts";
import type { Metadata, StoredContent } from "../schemas/knowledge/knowledge-content.ts";
import type { FilterExpression } from "../schemas/knowledge/knowledge-filter.ts";
import { MAX_TAG_BYTES, MAX_TAG_KEYS, type Tags, type TagValue } from "../stores/vectors/vector-store.ts";

/** Whose chunks; stands for everybody's where nobody owns them. */
const OWNER = "owner";
const SHARED = "*";
const OWNED = "=";
/** Users' keys stand apart from ours. */
const METADATA = "m.";

/** What searches compare a content's chunks with: its owner, and what of its metadata can be compared. */
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

/** Why metadata cannot be searched by; undefined where it can. */
export function tagFault(content: Pick<StoredContent, "owner" | "metadata">): string | undefined {
  const tags = tagsOf(content);
  const bytes = Buffer.byteLength(JSON.stringify(tags));
  // The chunk's text and place are metadata too.
  if (Object.keys(tags).length + 2 > MAX_TAG_KEYS)
    return `The metadata has more than ${MAX_TAG_KEYS - 3} keys.`;
  return bytes > MAX_TAG_BYTES ? `The metadata is larger than ${MAX_TAG_BYTES} bytes.` : undefined;
}

/** The chunks that somebody may see. @param owner undefined for everybody's */
export function seenBy(owner: string | null | undefined): FilterExpression {
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

/** Metadata that results show of a content. */
export const shownMetadata = (metadata: Metadata | null): Metadata => withoutReserved(metadata ?? {});
