import { useChat } from "@ai-sdk/react";
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from "ai";
import { createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { Chat, ChatOptions, MountedChat } from "../mounted-chat.ts";

/** A page with the official hook, as its guide has it. */
export function mountChat(element: Element, options: ChatOptions): MountedChat {
  const { api, token, id, messages = [], resume = false, body = {} } = options;
  let last: Chat | undefined;
  const finished: (string | undefined)[] = [];
  const transport = new DefaultChatTransport<UIMessage>({
    api,
    body,
    headers: { authorization: `Bearer ${token}` },
  });
  function Page() {
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
      if (!last) throw new Error("the page has not been rendered yet");
      return last;
    },
    finished,
    unmount: () => root.unmount(),
  };
}
