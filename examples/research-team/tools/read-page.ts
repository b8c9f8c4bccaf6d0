import { defineTool } from "@agentplatform/core";
import * as v from "valibot";

/** A model's context is limited, and paid for. */
const MAX_CHARS = 20_000;

export const readPage = defineTool({
  name: "read_page",
  description: "Read a page of the web as text.",
  parameters: v.object({ url: v.pipe(v.string(), v.url()) }),
  // Doing it twice does no harm.
  effect: "safe",
  timeout_seconds: 30,
  execute: async ({ url }, { signal }) => {
    const response = await fetch(url, { signal });
    if (!response.ok) throw new Error(`${url} answers ${response.status}`);
    const text = await response.text();
    return text
      .replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]+>/g, " ")
      .replace(/\s+/g, " ")
      .slice(0, MAX_CHARS);
  },
});
