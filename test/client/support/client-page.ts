import { walkClient } from "./client-walk.ts";

/** What the page of a browser calls. */
export type ClientPage = { readonly walk: typeof walkClient };
Object.assign(globalThis, { clientPage: { walk: walkClient } satisfies ClientPage });
