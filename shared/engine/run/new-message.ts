import { epochSeconds } from "../../runtime/clock.ts";
import type { Message } from "../../schemas/runs/run.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";

type MessageParts = Pick<Message, "role"> & Partial<Message>;

/** A message that this run adds, with a new id and the current time. */
export function newMessage(parts: MessageParts, ports: Pick<EnginePorts, "clock" | "newId">): Message {
  return {
    id: ports.newId(),
    from_history: false,
    stop_after_tool_call: false,
    created_at: epochSeconds(ports.clock),
    ...parts,
  };
}
