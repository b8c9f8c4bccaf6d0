import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { GivenMedium } from "../model/given-medium.ts";

/** The files in a tool's answer: pictures, recordings, and resources whose bytes are in it. */
export const resultMedia = ({ content }: CallToolResult): GivenMedium[] => content.flatMap(mediumOf);

function mediumOf(part: CallToolResult["content"][number]): GivenMedium[] {
  switch (part.type) {
    case "image":
    case "audio":
      return [{ mime_type: part.mimeType, bytes: Buffer.from(part.data, "base64") }];
    case "resource": {
      if (!("blob" in part.resource)) return [];
      const { uri, blob, mimeType = "application/octet-stream" } = part.resource;
      const filename = /[^/]+$/.exec(uri)?.[0];
      const bytes = Buffer.from(blob, "base64");
      return [{ mime_type: mimeType, bytes, ...(filename !== undefined && { filename }) }];
    }
    case "text":
    case "resource_link":
      return [];
  }
}
