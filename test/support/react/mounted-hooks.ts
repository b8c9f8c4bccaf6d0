/** What of the hooks a test uses, without the types of React, which are of a browser. */
type RunAddress = { readonly agent_id: string; readonly run_id: string; readonly session_id: string };
type Run = { readonly run_id: string; readonly session_id: string; readonly status: string };

export type ShownHooks = {
  readonly agent: {
    readonly messages: readonly { readonly id: string; readonly role: string; readonly text: string }[];
    readonly status: string;
    readonly send: (message: string) => Promise<void>;
    readonly stop: () => Promise<void>;
    readonly run: Run | undefined;
    readonly error: Error | undefined;
  };
  readonly followed: {
    readonly run: Run | undefined;
    readonly events: readonly {
      readonly event: string;
      readonly data: { readonly [name: string]: unknown };
    }[];
    readonly text: string;
    readonly connected: boolean;
  };
  readonly approvals: {
    readonly items: readonly { readonly id: string; readonly run_id: string }[];
    readonly approve: (id: string) => Promise<void>;
    readonly reject: (id: string) => Promise<void>;
    readonly refresh: () => Promise<void>;
    readonly error: Error | undefined;
  };
};

export type MountedHooks = {
  /** What the hooks have returned last. */
  readonly shown: () => ShownHooks;
  /** Follows this run from now on; none without one. */
  readonly follow: (run?: RunAddress) => void;
  readonly unmount: () => void;
};

export type HooksOptions = {
  readonly url: string;
  readonly token: string;
  readonly user: string;
  readonly component: { readonly agent_id: string };
  readonly session?: string;
  /** Shows approvals of the user's own runs alone; an approver sees everybody's without it. */
  readonly mine?: boolean;
  readonly fetch: typeof fetch;
};

/** The page of `pages/hooks-page.ts`; its element is one of its document. */
export type HooksPage = { readonly mountHooks: (element: object, options: HooksOptions) => MountedHooks };
