import type { SigningRoots } from "../../shared/outbound/index.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Db } from "../../shared/stores/db.ts";

export type DeliveriesDeps = {
  readonly db: Db;
  readonly signingRoots: () => Promise<SigningRoots>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly settings: { readonly FETCH_ALLOWED_HOSTS: readonly string[] };
};
