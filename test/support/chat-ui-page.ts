import { openChatUi, type Shown } from "./chat-ui.ts";
import { clientOf } from "./client.ts";

/** What the page of the chat UI offers to the test that looks at it. */
export type ChatUiPage = {
  /** Opens the UI, as when the page is loaded. */
  readonly open: (url: string, token: string, listAgainAfter?: readonly string[]) => void;
  readonly send: (path: string, message: string) => Promise<string>;
  readonly load: (sessionId: string) => Promise<void>;
  readonly shown: () => readonly Shown[];
  /** The status of the last list of runs. */
  readonly listed: () => number | undefined;
};

let ui: ReturnType<typeof openChatUi>;
const chatUi: ChatUiPage = {
  open: (url, token, listAgainAfter) => {
    ui = openChatUi(clientOf(url, token), listAgainAfter);
  },
  send: (path, message) => ui.send(path, message),
  load: (sessionId) => ui.load(sessionId),
  shown: () => ui.shown(),
  listed: () => ui.listings.at(-1)?.status,
};
Object.assign(globalThis, { chatUi });
