import type { Registry } from "../../shared/engine/define/registry.ts";
import type { HandlerRequest } from "../../shared/http/handler.ts";
import type { Component, RunsDeps } from "../../shared/runs/index.ts";
import type { CardSigner } from "./card-signer.ts";

export type A2aDeps = RunsDeps & {
  /** Path below which the interface is. */
  readonly prefix: string;
  /** Address of the service as its clients know it; that of the request when absent. */
  readonly publicUrl?: string | undefined;
  /** The component whose card is public. */
  readonly hostAgent?: Component | undefined;
  /** What code declares. */
  readonly registry: Registry;
  /** Absent where no key signs cards. */
  readonly cardSigner?: CardSigner | undefined;
  /** Addresses at which issuers publish what they are. */
  readonly discovery: readonly string[];
};

type Query = { readonly [K in "A2A-Version" | "historyLength"]?: string | undefined };

/** A request about one component, of whichever kind. */
export type A2aRequest = Pick<
  HandlerRequest<never>,
  "headers" | "principal" | "signal" | "invocation" | "origin"
> & {
  readonly component: Component;
  readonly params: { readonly task_id?: string; readonly config_id?: string };
  readonly query: Query & Readonly<Record<string, string | undefined>>;
  readonly body?: string | undefined;
};
