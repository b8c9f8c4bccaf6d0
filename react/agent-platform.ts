import { createContext, createElement, type ReactElement, type ReactNode, useContext } from "react";
import type { Client } from "../client/index.ts";

type Given = {
  readonly client: Client;
  /** The id of the user whose credential the client has; `useApprovals({ mine: true })` needs it. */
  readonly user?: string | undefined;
};

const Context = createContext<Given | undefined>(undefined);

/** Gives the hooks below it their client. Another client has them begin anew, so it is made once, and not in a component. */
export function AgentPlatform({
  children,
  ...given
}: Given & { readonly children?: ReactNode }): ReactElement {
  return createElement(Context.Provider, { value: given }, children);
}

/** @throws Error outside of `<AgentPlatform>` */
export function useGiven(): Given {
  const given = useContext(Context);
  if (!given) throw new Error("there is no <AgentPlatform client={…}> above this component");
  return given;
}
