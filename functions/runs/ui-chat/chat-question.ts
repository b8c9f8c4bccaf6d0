import { userInput } from "../../../shared/agui/input-of.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { AguiPart } from "../../../shared/schemas/agui/run-agent-input.ts";
import type { UiMessage, UiPart } from "../../../shared/schemas/ui-chat/ui-message.ts";

/**
 * What a message of the user asks, as fields of a run.
 *
 * @throws ServiceError UNPROCESSABLE for a message that says nothing, and for a file that cannot be read
 */
export function questionIn({ id, parts }: UiMessage) {
  const read = userInput([{ id, role: "user", content: parts.flatMap(partOf) }]);
  if (read.message === "" && Object.keys(read).length === 1)
    throw new ServiceError("UNPROCESSABLE", "messages: the user's message is empty");
  return read;
}

/** Other parts than texts and files ask nothing. */
function partOf({ type, text, url, mediaType, filename }: UiPart): AguiPart[] {
  if (type === "text" && typeof text === "string") return [{ type: "text", text }];
  if (type !== "file") return [];
  const mimeType = typeof mediaType === "string" ? mediaType : "application/octet-stream";
  return [
    {
      type: kindOf(mimeType),
      mimeType,
      ...(typeof url === "string" && { url }),
      ...(typeof filename === "string" && { filename }),
    },
  ];
}

function kindOf(mimeType: string): AguiPart["type"] {
  const kind = ["image", "audio", "video"] as const;
  return kind.find((one) => mimeType.startsWith(`${one}/`)) ?? "document";
}
