import type { Clock } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { Db } from "../../shared/stores/db.ts";
import type { OauthDeps } from "./oauth/oauth-deps.ts";

export type ServiceAccountsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly adminScope: string;
  readonly log: Log;
  readonly newId: () => string;
  readonly newToken: () => string;
} & Pick<OauthDeps, "oauth">;
