import type { uiChatRoutes } from "../../../shared/routes/protocols/ui-chat.ts";
import type { RunsRequest } from "../../../shared/runs/index.ts";

/** A request of `useChat` to one component, of whichever kind. */
export type UiChatAsked = RunsRequest<typeof uiChatRoutes.runAgentChat>;

/** A request about a chat that there may be. */
export type ShownChat = RunsRequest<typeof uiChatRoutes.getAgentChat>;
