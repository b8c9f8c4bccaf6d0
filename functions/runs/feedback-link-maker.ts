import { connectSigningRoots, feedbackLinks } from "../../shared/outbound/index.ts";
import type { MakeLinks } from "../../shared/runs/index.ts";
import { systemClock } from "../../shared/runtime/clock.ts";

/** Makes links for feedback; the secret is read with the first of them. @param secret  ARN of the secret that seals them */
export function feedbackLinkMaker(secret: string): MakeLinks {
  const signingRoots = connectSigningRoots(secret, systemClock);
  return async (address, run, keys, given) => feedbackLinks(await signingRoots(), address, run, keys, given);
}
