import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

/** A tool's answer as text for the model. Parts that are not text are named. */
export function resultText({ content, structuredContent }: CallToolResult): string {
  if (content.length === 0 && structuredContent !== undefined) return JSON.stringify(structuredContent);
  return content.map(partText).join("\n");
}

function partText(part: CallToolResult["content"][number]): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "resource":
      return "text" in part.resource ? part.resource.text : `[file ${part.resource.uri}]`;
    case "resource_link":
      return `[${part.name}: ${part.uri}]`;
    case "image":
    case "audio":
      return `[${part.type} of type ${part.mimeType}]`;
  }
}
