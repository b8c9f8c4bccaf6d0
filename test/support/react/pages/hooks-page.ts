import { createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createClient } from "../../../../client/index.ts";
import { AgentPlatform, useAgent, useApprovals, useRun } from "../../../../react/index.ts";
import type { HooksOptions, MountedHooks } from "../mounted-hooks.ts";
import { useMounted } from "./use-mounted.ts";

/** A page with every hook. Which run is followed, is set from outside. */
export function mountHooks(element: Element, { fetch, ...options }: HooksOptions): MountedHooks {
  const client = createClient({ baseUrl: options.url, token: options.token, fetch });
  let shown: ReturnType<MountedHooks["shown"]> | undefined;
  let isMounted = false;
  const noteMounted = () => {
    isMounted = true;
  };
  function Page({ run }: { readonly run: Parameters<typeof useRun>[0] }) {
    useMounted(noteMounted);
    const agent = useAgent(options.component, { session: options.session });
    shown = { agent, followed: useRun(run), approvals: useApprovals({ mine: options.mine ?? true }) };
    return createElement("p", null, agent.status);
  }
  const root = createRoot(element);
  const render = (run?: Parameters<typeof useRun>[0]) => {
    const page = createElement(Page, { run });
    const within = createElement(AgentPlatform, { client, user: options.user }, page);
    root.render(createElement(StrictMode, null, within));
  };
  render();
  return {
    shown: () => {
      if (!shown || !isMounted) throw new Error("the page has not been rendered yet");
      return shown;
    },
    follow: render,
    unmount: () => root.unmount(),
  };
}
