import * as v from "valibot";
import { meaning } from "./described-as.ts";
import { integerText, optionalText } from "./fields.ts";
import { OptionalKeyText } from "./key-text.ts";
import { SortOrder } from "./page.ts";

/** Fields that the queries of several families have in common. */

/** Which database is meant; there is one. */
export const db_id = meaning(optionalText(), "The database; there is one, and it need not be named");
export const place = {
  db_id,
  table: meaning(optionalText(), "The table of that database; it need not be named"),
};

/** Whose records are meant. */
export const user_id = meaning(
  OptionalKeyText,
  "Only this user's; without effect for callers who see only their own",
);

/** Inclusive bounds on the creation. */
export const created = {
  created_after: meaning(v.optional(integerText()), "Not before this time, in epoch seconds"),
  created_before: meaning(v.optional(integerText()), "Not after this time, in epoch seconds"),
};

/** @param by  the field that orders a list unless another is named */
export const sorting = (by: string) => ({
  sort_by: meaning(v.optional(v.string(), by), "The field that the list is ordered by"),
  sort_order: meaning(
    v.optional(SortOrder, "desc"),
    "Whether the smallest (asc) or the largest (desc) is first",
  ),
});

/** A filter by the id of something. @param what  such as "agent" */
export const only = <Field extends v.GenericSchema>(field: Field, what: string): Field =>
  meaning(field, `Only of this ${what}`);
