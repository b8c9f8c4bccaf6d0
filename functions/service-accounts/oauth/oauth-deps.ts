import type { Clock } from "../../../shared/runtime/clock.ts";
import type { Log } from "../../../shared/runtime/log.ts";
import type { Db } from "../../../shared/stores/db.ts";

/** What sign-in needs. */
export type OauthDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly adminScope: string;
  readonly oauth: {
    /** Address of the service as its clients know it; that of the request when absent. */
    readonly publicUrl: string | undefined;
    /** How long an app stays connected. */
    readonly grantSeconds: number;
    /** Whether clients may register themselves. */
    readonly registers: boolean;
    /** Fetches a document that describes a client, from public addresses alone. */
    readonly fetchDocument: typeof fetch;
  };
};

/** The issuer: the address of the service. */
export const issuerOf = ({ oauth }: Pick<OauthDeps, "oauth">, origin: string | undefined): string =>
  oauth.publicUrl ?? origin ?? "";
