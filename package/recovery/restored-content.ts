import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import { planRemoval } from "../../shared/domain/knowledge/content-plans.ts";
import type { StoredContent } from "../../shared/schemas/knowledge/knowledge-content.ts";
import { contentAttributes, contentFrom, contentKey } from "../../shared/stores/knowledge/content-item.ts";
import type { RowRule } from "./copy-table.ts";
import { isSame, type StoredRow } from "./stored-row.ts";

/**
 * Contents where vectors are in S3 Vectors, which has no past: what differs from now is embedded again from its stored
 * bytes, and what is younger than the instant is removed by the worker, with its vectors.
 *
 * @param now  epoch seconds
 */
export const rebuiltContents = (now: number): RowRule => ({
  wanted: (then, present) => {
    if (!isContent(then ?? present)) return then;
    if (!then) return present && removedContent(present, now);
    return present && isSame(then, present) ? then : unembedded(then, present, now);
  },
});

const isContent = (row: StoredRow | undefined): boolean =>
  row?.sk?.S === "content" && row.pk?.S?.startsWith("content#") === true;

/** Without chunks: its worker reads, embeds and writes them as of a new upload. */
function unembedded(then: StoredRow, present: StoredRow | undefined, now: number): StoredRow {
  const { live, draft, lease_token: _token, lease_until: _until, ...content } = read(then);
  if (content.removed || (live === undefined && draft === undefined)) return then;
  const begun = { ...content, status: "processing", status_message: "", attempt: 0 } as const;
  const { revision, due_at } = present ? read(present) : { revision: 0, due_at: undefined };
  const again = written({ ...begun, revision, ...(due_at !== undefined && { due_at }) });
  // An earlier pass has written it.
  if (present && isSame(again, present)) return present;
  return written({ ...begun, revision: Math.max(content.revision, revision) + 1, due_at: now });
}

function removedContent(present: StoredRow, now: number): StoredRow {
  const content = read(present);
  return content.removed ? present : written({ ...planRemoval(content, now), version: content.version + 1 });
}

const read = (row: StoredRow): StoredContent => contentFrom(unmarshall({ ...row }));
const written = (content: StoredContent): StoredRow =>
  marshall({ ...contentKey(content), ...contentAttributes(content) }, { removeUndefinedValues: true });
