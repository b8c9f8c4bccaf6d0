// The package `ai` has the same function; this one has it without the rest.
import { tool } from "@ai-sdk/provider-utils";
import { z } from "zod";

const DAYS_BY_COUNTRY: Readonly<Record<string, number>> = { de: 2, fr: 3, us: 7 };

/** A tool of the AI SDK, as it is: an agent takes it by its key. */
export const deliveryTools = {
  delivery_days: tool({
    description: "How many days a parcel takes to a country, by its two letters.",
    inputSchema: z.object({ country: z.string().length(2) }),
    execute: ({ country }) => DAYS_BY_COUNTRY[country.toLowerCase()] ?? "unknown",
  }),
};
