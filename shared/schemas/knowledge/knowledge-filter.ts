import * as v from "valibot";
import { jsonObject } from "../values/fields.ts";
import { storableText } from "../values/storable-text.ts";

export type FilterExpression =
  | {
      op: "EQ" | "NEQ" | "GT" | "GTE" | "LT" | "LTE" | "CONTAINS" | "STARTSWITH";
      key: string;
      value: unknown;
    }
  | { op: "IN"; key: string; values: unknown[] }
  | { op: "AND" | "OR"; conditions: FilterExpression[] }
  | { op: "NOT"; condition: FilterExpression };

export const FilterExpression: v.GenericSchema<FilterExpression> = v.variant("op", [
  v.object({
    op: v.picklist(["EQ", "NEQ", "GT", "GTE", "LT", "LTE", "CONTAINS", "STARTSWITH"]),
    key: v.string(),
    value: v.unknown(),
  }),
  v.object({ op: v.literal("IN"), key: v.string(), values: v.array(v.unknown()) }),
  v.object({ op: v.picklist(["AND", "OR"]), conditions: v.array(v.lazy(() => FilterExpression)) }),
  v.object({ op: v.literal("NOT"), condition: v.lazy(() => FilterExpression) }),
]);

const PlainFilters = v.pipe(
  jsonObject(),
  v.check((filters) => !Object.hasOwn(filters, "op"), "an expression needs its parts"),
);

/** Which knowledge a run may search: values by name, one expression, or several. */
export const KnowledgeFilters = v.union([FilterExpression, v.array(FilterExpression), PlainFilters]);
export type KnowledgeFilters = v.InferOutput<typeof KnowledgeFilters>;

/** The same as text. Invalid text is ignored, like every malformed JSON field of a run. */
export const lenientKnowledgeFilters = () =>
  v.optional(
    v.pipe(
      storableText(),
      v.transform((value): KnowledgeFilters | undefined => {
        const parsed = v.safeParse(KnowledgeFilters, value);
        return parsed.success ? parsed.output : undefined;
      }),
    ),
  );
