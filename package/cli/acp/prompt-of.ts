import type { ContentBlock } from "@agentclientprotocol/sdk";

/** What an editor sends with a prompt, as one text. A file that it only names is named; its text is added where it was sent along. */
export const promptOf = (blocks: readonly ContentBlock[]): string =>
  blocks
    .map(textOf)
    .filter((text) => text !== "")
    .join("\n\n");

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource_link":
      return `[${block.name}](${block.uri})`;
    case "resource":
      return "text" in block.resource ? `${block.resource.uri}:\n${block.resource.text}` : block.resource.uri;
    default:
      return ""; // images and sounds: the bridge does not say that it takes them
  }
}
