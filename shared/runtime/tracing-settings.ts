import * as v from "valibot";
import { settingEntries } from "./settings.ts";

/** Regular expressions as a JSON array of texts. */
export const PatternsText = v.pipe(
  v.string(),
  v.rawTransform<string, readonly string[]>(({ dataset, addIssue, NEVER }) => {
    const patterns = patternsIn(dataset.value);
    if (patterns) return patterns;
    addIssue({ message: "must be a JSON array of regular expressions" });
    return NEVER;
  }),
);

function patternsIn(text: string): string[] | undefined {
  try {
    const patterns = v.parse(v.array(v.string()), JSON.parse(text));
    for (const pattern of patterns) new RegExp(pattern, "gu");
    return patterns;
  } catch {
    return undefined;
  }
}

/** Addresses, separated by commas. */
export const AddressesText = v.pipe(
  v.string(),
  v.transform((text) =>
    text
      .split(",")
      .map((address) => address.trim())
      .filter((address) => address !== ""),
  ),
  v.array(v.pipe(v.string(), v.url("must be URLs, separated by commas"))),
);

const onOff = ["on", "off"] as const;

/** Tracing variables of functions that execute runs. */
export const tracingEntries = {
  TRACING: v.optional(v.picklist(onOff), "off"),
  /** Whether inputs, outputs and arguments are stored. */
  TRACE_CONTENT: v.optional(v.picklist(onOff), "on"),
  TRACE_REDACT: v.optional(PatternsText, "[]"),
  OTLP_ENDPOINTS: v.optional(AddressesText, ""),
  /** Name of the Secrets Manager secret with a JSON object of headers for these. */
  OTLP_HEADERS_SECRET: v.optional(v.string()),
  ...settingEntries("TRACE_SAMPLE_RATIO", "TRACE_RETENTION_DAYS"),
};
