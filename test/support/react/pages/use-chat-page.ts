import { useChat } from "@ai-sdk/react";
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from "ai";
import { createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createClient } from "../../../../client/index.ts";
import { chatTransport } from "../../../../react/index.ts";
import type { Chat, ChatOptions, MountedChat } from "../mounted-chat.ts";
import { useMounted } from "./use-mounted.ts";

/** A page with the official hook, as its guide has it. */
export function mountChat(element: Element, options: ChatOptions): MountedChat {
  const { api, token, id, messages = [], resume = false, body = {} } = options;
  let last: Chat | undefined;
  let isMounted = false;
  const noteMounted = () => {
    isMounted = true;
  };
  const finished: (string | undefined)[] = [];
  const official = new DefaultChatTransport<UIMessage>({
    api,
    body,
    headers: { authorization: `Bearer ${token}` },
  });
  const transport =
    options.url === undefined
      ? official
      : chatTransport(createClient({ baseUrl: options.url, token }), { agent_id: "assistant" });
  function Page() {
    useMounted(noteMounted);
    last = useChat({
      ...{ id, messages, resume, transport },
      onFinish: ({ finishReason }) => finished.push(finishReason),
      sendAutomaticallyWhen: (state) =>
        lastAssistantMessageIsCompleteWithApprovalResponses(state) ||
        lastAssistantMessageIsCompleteWithToolCalls(state),
    });
    return createElement("p", null, last.status);
  }
  const root = createRoot(element);
  root.render(createElement(StrictMode, null, createElement(Page)));
  return {
    chat: () => {
      if (!last || !isMounted) throw new Error("the page has not been rendered yet");
      return last;
    },
    finished,
    unmount: () => root.unmount(),
  };
}
