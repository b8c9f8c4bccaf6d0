import { callback } from "./callback.ts";
import { endpoint } from "./endpoint.ts";
import { push } from "./push.ts";
import type { TargetKind } from "./target-kind.ts";

/** Every kind of receiver, by the name that deliveries have. */
export const targetKinds: Readonly<Record<string, TargetKind>> = { callback, endpoint, push };
