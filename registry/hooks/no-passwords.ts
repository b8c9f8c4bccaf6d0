import type { PostHook } from "@agentplatform/core";

/** Refuses an answer that contains a password, which ends the run. */
export const noPasswords: PostHook = {
  name: "no_passwords",
  check: (content) =>
    /\bpassword is\b/i.test(content)
      ? { refused: "The answer was withheld: it held a password.", error_id: "password" }
      : undefined,
};
