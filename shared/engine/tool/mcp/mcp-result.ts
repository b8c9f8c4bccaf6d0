import type { CallToolResult } from "@modelcontextprotocol/client";
import type { GivenMedium } from "../../model/given-medium.ts";
import { type Compiled, compileSchema } from "../compile-schema.ts";
import { type ResultWithMedia, resultWithMedia } from "../tool.ts";

/**
 * A tool's answer for the model, with its files. What the server reports as a failure is thrown, and so is an answer that is not what
 * the server has declared it to be.
 *
 * @param check  see `outputCheck`
 */
export async function shownResult(
  name: string,
  result: CallToolResult,
  check: OutputCheck,
): Promise<string | ResultWithMedia> {
  const text = resultText(result);
  if (result.isError) throw new Error(text);
  const fault = await check(result.structuredContent);
  if (fault !== undefined)
    throw new Error(`The result of ${name} is not what its server has declared: ${fault}`);
  const media = resultMedia(result);
  return media.length > 0 ? resultWithMedia(text, media) : text;
}

/** @returns why a tool's structured content breaks its schema; undefined where it does not */
export type OutputCheck = (structured: unknown) => Promise<string | undefined>;

/**
 * Checks structured content by the schema that a tool declares for it. One that refers to other documents, or that is none, checks
 * nothing: nothing is fetched for it.
 */
export function outputCheck(schema: object | undefined): OutputCheck {
  if (!schema) return async () => undefined;
  let compiled: Promise<Compiled> | undefined;
  return async (structured) => {
    if (structured === undefined) return "it has no structured content";
    compiled ??= compileSchema(schema);
    const known = await compiled;
    return known.usable ? known.check(structured) : undefined;
  };
}

/** The files in a tool's answer: pictures, recordings, and resources whose bytes are in it. */
const resultMedia = ({ content }: CallToolResult): GivenMedium[] => content.flatMap(mediumOf);

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

/** A tool's answer as text for the model. Parts that are not text are named. */
function resultText({ content, structuredContent }: CallToolResult): string {
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
