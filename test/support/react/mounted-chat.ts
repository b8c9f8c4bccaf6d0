import type { AbstractChat, UIMessage } from "ai";

/** What of `useChat` a test uses. */
export type Chat = Pick<
  AbstractChat<UIMessage>,
  | "addToolApprovalResponse"
  | "addToolOutput"
  | "error"
  | "messages"
  | "regenerate"
  | "resumeStream"
  | "sendMessage"
  | "status"
  | "stop"
>;

export type MountedChat = {
  /** What the hook has returned last. */
  readonly chat: () => Chat;
  /** How each stream has finished. */
  readonly finished: readonly (string | undefined)[];
  readonly unmount: () => void;
};

export type ChatOptions = {
  readonly api: string;
  readonly token: string;
  readonly id: string;
  readonly messages?: UIMessage[];
  readonly resume?: boolean;
  readonly body?: object;
  /** The platform, where the transport is that of `@agentplatform/core/react`. */
  readonly url?: string;
};

/** The page of `pages/use-chat-page.ts`; its element is one of its document. */
export type ChatPage = { readonly mountChat: (element: object, options: ChatOptions) => MountedChat };
