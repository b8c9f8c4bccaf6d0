import type { PreHook } from "@agentplatform/core";

const CARD_NUMBER = /\b(?:\d[ -]?){13,19}\b/;

/** Refuses inputs with payment card numbers, so that the model never sees one. */
export const noCardNumbers: PreHook = {
  name: "no_card_numbers",
  check: (input) =>
    CARD_NUMBER.test(input)
      ? { refused: "Please do not send card numbers.", error_id: "card_number" }
      : undefined,
};
