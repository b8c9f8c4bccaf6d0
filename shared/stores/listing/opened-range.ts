import { openedKey } from "../index-keys.ts";

export type OpenedBounds = {
  /** Inclusive bounds on when a record was made, epoch seconds. */
  readonly created_after?: number | undefined;
  readonly created_before?: number | undefined;
  /** The place of the row before the first one. */
  readonly after_place?: string | undefined;
};

/**
 * The part of an index by opening that a page, the newest first, is in.
 *
 * @returns undefined where nothing can be in it: DynamoDB refuses a range whose end is before its start
 */
export function openedRange({ created_after, created_before, after_place }: OpenedBounds) {
  const ends = [
    ...(created_before === undefined ? [] : [openedKey(created_before + 1, "")]),
    ...(after_place === undefined ? [] : [after_place]),
  ].sort();
  const [through] = ends;
  const after = created_after === undefined ? undefined : openedKey(created_after, "");
  if (after !== undefined && through !== undefined && after > through) return undefined;
  return { ...(after !== undefined && { after }), ...(through !== undefined && { through }) };
}
