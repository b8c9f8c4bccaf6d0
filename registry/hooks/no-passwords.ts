import type { PostHook } from "../../shared/engine/define/index.ts";

/** Ends a run whose answer gives a password away. */
export const noPasswords: PostHook = {
  name: "no_passwords",
  check: (content) =>
    /\bpassword is\b/i.test(content)
      ? { refused: "The answer was withheld: it held a password.", error_id: "password" }
      : undefined,
};
