import type { Clock } from "../../../shared/runtime/clock.ts";
import type { Log } from "../../../shared/runtime/log.ts";
import type { Db } from "../../../shared/stores/db.ts";
import type { AskIssuer } from "./ask-issuer.ts";

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
    /** Asks the issuer of the console whether a user is still one; absent where there is none. */
    readonly askIssuer?: AskIssuer;
  };
};

const DAY_SECONDS = 86_400;

/** How long an app may stay connected. @param isAsked  whether the issuer is, at each refresh */
export const grantSeconds = ({ oauth }: Pick<OauthDeps, "oauth">, isAsked: boolean): number =>
  isAsked || !oauth.askIssuer ? oauth.grantSeconds : Math.min(oauth.grantSeconds, DAY_SECONDS);

/** The issuer: the address of the service. */
export const issuerOf = ({ oauth }: Pick<OauthDeps, "oauth">, origin: string | undefined): string =>
  oauth.publicUrl ?? origin ?? "";
