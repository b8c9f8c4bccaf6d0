import { defineAgent } from "@agentplatform/core";

/** One clerk for each kind of claim: each knows its own rules, and no other's. */
export const travelClerk = defineAgent({
  id: "travel-clerk",
  name: "Travel clerk",
  instructions:
    "Check a claim for travel: second class by train, economy by air. Name what is against the rules.",
});

export const mealsClerk = defineAgent({
  id: "meals-clerk",
  name: "Meals clerk",
  instructions:
    "Check a claim for meals: at most 60 a person, guests are named. Name what is against the rules.",
});
